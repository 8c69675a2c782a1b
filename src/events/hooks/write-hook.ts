import { HttpException, Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Transaction } from '../../database/connection/transaction.js';
import { TABLES } from '../../database/sql/tables.js';
import { errorOfException } from '../../errors/http-errors.js';
import { isOneOf } from '../../kernel/sql-condition.js';
import { discovered } from '../../platform/http/discovered.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import type { EventRow } from '../event.entity.js';
import type { EventLinkIds } from '../event.link-kinds.js';

/** A write of one event. */
export interface EventWrite {
  /**
   * The effect of the write, whatever the route: `delete` moves an event to the trash or deletes it permanently, also an
   * update with `status: trash`. A restore from the trash is an `update`.
   */
  readonly kind: 'create' | 'update' | 'delete';
  /** undefined before a create. */
  readonly id?: number;
  /** The stored row before the write, locked. undefined: a create. */
  readonly before?: Readonly<EventRow>;
  /**
   * The row after the write. undefined: the event is deleted permanently. In `beforeWrite` the slug may still change to a
   * free one, and `revision` and `modified_utc` are the old ones.
   */
  readonly after?: Readonly<Omit<EventRow, 'id'>>;
  /** The ids of the linked records after the write, those that it creates included. undefined: not sent, unchanged. */
  readonly links: EventLinkIds;
  /** Caller (`context.caller`), time and settings. */
  readonly context: RequestContext;
}

/** A write whose rows are stored. */
export interface StoredWrite extends EventWrite {
  readonly id: number;
  readonly after?: Readonly<EventRow>;
}

/**
 * Joins the writes of events. Both functions run in the transaction of the write, which may be repeated, so they must have
 * no effects but SQL by `tx`, on tables of the module. If one throws, nothing is written:
 * - after `apiError(code)` or an `HttpException` the client gets its status and text, and an import rejects the line;
 * - after any other error, also a duplicate key of the module, the client gets 500, and the error is logged.
 *
 * Hooks are called for each event that is created, updated or deleted: by the routes, by each line of `kalends import`, by
 * `kalends purge`, which keeps an event whose deletion is rejected, and for the children of a deleted event, which
 * become top-level. A replay by Idempotency-Key writes nothing and calls no hook. Hooks are not called for an update
 * without fields, for a scheduled event that is stored as published at its date, and for the links of an event to a
 * venue, organizer, category or tag that is deleted.
 */
export interface EventHook {
  /** Checks a write that passed all checks of the service. Runs before the event's row is written. */
  beforeWrite?(write: EventWrite, tx: Transaction): Promise<void> | void;
  /** Adds to a write by `tx`, when all rows of the event are written. Runs before the response is made. */
  afterWrite?(write: StoredWrite, tx: Transaction): Promise<void> | void;
}

const HOOK = DiscoveryService.createDecorator<void>();

/** Adds a provider of any module to the writes of events. It must have the default scope. */
export function EventWriteHook(): (target: Type<EventHook>) => void {
  return HOOK();
}

/** A write of an event whose id is known. */
export type NumberedWrite = EventWrite & { readonly id: number };

type WritesOf = () => readonly NumberedWrite[] | Promise<readonly NumberedWrite[]>;

/** The hooks of all modules. They run one after the other, in the order of their modules. */
@Injectable()
export class EventWriteHooks implements OnModuleInit {
  private hooks: readonly EventHook[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    this.hooks = discovered<void, EventHook>(this.discovery, HOOK).map(({ provider }) => provider);
  }

  get isEmpty(): boolean {
    return this.hooks.length === 0;
  }

  /** Runs `work`, which writes existing events, between their hooks. Without hooks it does not call `writesOf`. */
  async around(tx: Transaction, writesOf: WritesOf, work: () => Promise<void> | void): Promise<void> {
    if (this.isEmpty) await work();
    else await this.runAround(tx, writesOf, work);
  }

  /** Calls `beforeWrite` for each write. */
  async before(tx: Transaction, writes: readonly EventWrite[]): Promise<void> {
    // A hook may go on after an error of its own statement.
    await tx.flush();
    for (const write of writes) {
      for (const hook of this.hooks) await rejecting(() => hook.beforeWrite?.(write, tx));
    }
  }

  /** Calls `afterWrite` for each write, with its stored row. */
  async after(tx: Transaction, writes: readonly NumberedWrite[]): Promise<void> {
    const hooks = this.hooks.filter((hook) => hook.afterWrite !== undefined);
    if (hooks.length === 0) return;
    const rows = await storedRows(
      tx,
      writes.map(({ id }) => id),
    );
    for (const write of writes) {
      for (const hook of hooks) await rejecting(() => hook.afterWrite?.({ ...write, after: rows.get(write.id) }, tx));
    }
  }

  private async runAround(tx: Transaction, writesOf: WritesOf, work: () => Promise<void> | void): Promise<void> {
    const writes = await writesOf();
    await this.before(tx, writes);
    await work();
    await this.after(tx, writes);
  }
}

async function storedRows(tx: Transaction, ids: readonly number[]): Promise<ReadonlyMap<number, EventRow>> {
  const { sql, params } = isOneOf('id', ids);
  const rows = await tx.query<EventRow>(`SELECT * FROM ${TABLES.events} WHERE ${sql}`, params);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Runs a hook and turns its HttpException into an error of the API, which imports report for one line. */
async function rejecting(run: () => Promise<void> | void): Promise<void> {
  try {
    await run();
  } catch (error) {
    throw error instanceof HttpException && error.getStatus() < 500 ? errorOfException(error) : error;
  }
}
