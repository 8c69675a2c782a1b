import type { Type } from '@nestjs/common';
import { named } from '../translations/translation.js';

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

/** What the verbs of each kind of operation are; POST, PUT and PATCH on a record are one (contract 1.1). */
export const VERBS: Record<Operation['kind'], readonly string[]> = {
  list: ['GET'],
  read: ['GET'],
  describe: ['GET'],
  create: ['POST'],
  update: ['POST', 'PUT', 'PATCH'],
  delete: ['DELETE'],
};

/** A path of the interface with all that can be done on it. */
export interface Route {
  /** Below the mount: '', `/events`, `/events/:id`. */
  readonly path: string;
  readonly operations: readonly Operation[];
  /** The verbs it answers, in the order of the index. */
  readonly methods: readonly string[];
}

/** A route as requests are matched with it. */
export interface MatchedRoute extends Route {
  /** Its verbs with those that every route has, as `Allow` names them. */
  readonly allow: readonly string[];
  /** The path as handlers are registered: `/calendar/events/v1/events/:id`. */
  readonly template: string;
  /** Whether it describes the service itself. */
  readonly describes: boolean;
  /** Matches its paths below the mount, percent-encoded; the groups are its parameters. */
  readonly pattern: RegExp;
}

/** Whether it changes something, and so may carry an Idempotency-Key. */
export function isWrite({ kind }: Operation): boolean {
  return kind === 'create' || kind === 'update' || kind === 'delete';
}

const OPERATION = Symbol('operation');

export function describeOperation(handler: object, operation: Operation): void {
  named('requests', operation.id, { summary: operation.summary, examples: operation.examples });
  Reflect.defineMetadata(OPERATION, operation, handler);
}

export function operationOf(handler: object): Operation | undefined {
  return Reflect.getMetadata(OPERATION, handler) as Operation | undefined;
}
