import type { Type } from '@nestjs/common';

/** What a route is: the one description that routing, rights, documentation and the index read. */
export interface Operation {
  readonly kind: 'list' | 'create' | 'read' | 'update' | 'delete' | 'describe';
  /** `listEvents`: the id in the OpenAPI document. */
  readonly id: string;
  readonly summary: string;
  /** The class of its parameters. */
  readonly accepts?: Type<object>;
  /** The class of its answer. */
  readonly answers?: Type<object>;
  /** Bodies that work as they are, by a name. */
  readonly examples?: Readonly<Record<string, BodyExample>>;
  /** Whether browsers get a page of it, in HTML. */
  readonly hasPage?: boolean;
}

/** A body as the documentation shows it. */
export interface BodyExample {
  readonly summary: string;
  readonly value: object;
}

/** Whether it changes something, and so may carry an Idempotency-Key. */
export function isWrite({ kind }: Operation): boolean {
  return kind === 'create' || kind === 'update' || kind === 'delete';
}

const OPERATION = Symbol('operation');

export function describeOperation(handler: object, operation: Operation): void {
  Reflect.defineMetadata(OPERATION, operation, handler);
}

export function operationOf(handler: object): Operation | undefined {
  return Reflect.getMetadata(OPERATION, handler) as Operation | undefined;
}
