import type { Type } from '@nestjs/common';
import type { ErrorCode } from '../../errors/error-catalogue.js';
import { withKeys } from '../translations/translation.js';

/** The description of an operation. Routing, checks, documentation and the index all read it. */
export interface Operation {
  readonly kind: 'list' | 'create' | 'read' | 'update' | 'delete' | 'describe' | 'act';
  /** The id in the OpenAPI document: `listEvents`. */
  readonly id: string;
  readonly summary: string;
  /** What a caller should know before the first request, as Markdown. Unset: the text of its kind (operation-docs.ts). */
  readonly description?: string;
  /** The class of the parameters. */
  readonly accepts?: Type<object>;
  /** The class of the response. */
  readonly answers?: Type<object>;
  /** Example bodies that can be sent unchanged, by name. */
  readonly examples?: Readonly<Record<string, BodyExample>>;
  /** Requests that the service sends to others because of this one, as OpenAPI describes them, with keys of translations. */
  readonly callbacks?: Readonly<Record<string, Readonly<Record<string, object>>>>;
  /** Errors of this operation besides those of its kind. */
  readonly errors?: readonly ErrorCode[];
  /** The status of a success, if it is not that of the kind: 202 of an action that goes on after the response. */
  readonly status?: number;
  /** The media type of the response, if it is not JSON: `text/calendar`. */
  readonly mediaType?: string;
  /** Whether browsers get an HTML page. */
  readonly hasPage?: boolean;
  /** The members that modules add to the records of `answers`, by name. */
  readonly furtherMembers?: Readonly<Record<string, MemberSchema>>;
}

/** The OpenAPI schema of a member of a response. */
export interface MemberSchema {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly description: string;
  readonly example?: unknown;
  /** Any other keyword, such as `items` or `properties`. */
  readonly [keyword: string]: unknown;
}

/** Changes the description of an operation for one application, e.g. by fields of its modules. */
export type Amendment = (operation: Operation) => Operation;

/** A body as the documentation shows it. */
export interface BodyExample {
  readonly summary: string;
  readonly value: object;
}

/** HTTP methods of each kind of operation. POST, PUT and PATCH on a record are equivalent (contract 1.1). */
export const VERBS: Record<Operation['kind'], readonly string[]> = {
  list: ['GET'],
  read: ['GET'],
  describe: ['GET'],
  create: ['POST'],
  update: ['POST', 'PUT', 'PATCH'],
  delete: ['DELETE'],
  act: ['POST'],
};

/** A path of the interface with its operations. */
export interface Route {
  /** Below the mount: '', `/events`, `/events/:id`. */
  readonly path: string;
  readonly operations: readonly Operation[];
  /** Its methods, in the order of the index. */
  readonly methods: readonly string[];
}

/** A route with the data to match requests. */
export interface MatchedRoute extends Route {
  /** The methods of the `Allow` header: its own, HEAD and OPTIONS. */
  readonly allow: readonly string[];
  /** The path with which handlers are registered: `/calendar/events/v1/events/:id`. */
  readonly template: string;
  /** Whether its handlers have none of our decorators (ordinary-routes.ts). */
  readonly isOrdinary: boolean;
  /** Whether it describes the service. */
  readonly describes: boolean;
  /** Matches paths below the mount, percent-encoded. The named groups are the path parameters. */
  readonly pattern: RegExp;
}

/** Whether the operation changes data and so accepts an Idempotency-Key. */
export function isWrite({ kind }: Operation): boolean {
  return kind === 'create' || kind === 'update' || kind === 'delete' || kind === 'act';
}

const OPERATION = Symbol('operation');

export function describeOperation(handler: object, operation: Operation): void {
  withKeys('requests', operation.id, { summary: operation.summary, examples: operation.examples });
  if (operation.description !== undefined) withKeys('requests', `${operation.id}.about`, operation.description);
  Reflect.defineMetadata(OPERATION, operation, handler);
}

/** Returns the operation as its handler declares it, without amendments. */
export function operationOf(handler: object): Operation | undefined {
  return Reflect.getMetadata(OPERATION, handler) as Operation | undefined;
}

/** Returns the operation of a matched request, with the amendments of its application (route-table.ts). */
export function amendedOperation(handler: object, matched: MatchedRoute | undefined): Operation {
  const declared = operationOf(handler) as Operation;
  return matched?.operations.find(({ id }) => id === declared.id) ?? declared;
}
