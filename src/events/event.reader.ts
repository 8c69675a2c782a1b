import { Injectable } from '@nestjs/common';
import type { Sql } from '../database/dialect.js';
import type { Address } from '../kernel/address.js';
import type { FoundRecord } from '../platform/http/record.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { mustExist } from '../posts/post.access.js';
import { EventLinks, latestChange, type LinkedRecords } from './event.links.js';
import { EVENT } from './event.kind.js';
import { type EventView, presentEvent } from './event.presenter.js';
import { isBlanked } from './event.protection.js';
import { type EventReadRow, findEvent } from './event.query.js';
import type { EventResponse } from './event.response.js';

/** Makes answers of rows: loads what they are linked to and presents them. */
@Injectable()
export class EventReader {
  constructor(private readonly links: EventLinks) {}

  /** One event, as a write answers with it. */
  async record(sql: Sql, address: Address, context: RequestContext, view: EventView = 'full'): Promise<FoundRecord> {
    return this.present(sql, await this.find(sql, address), context, view);
  }

  async find(sql: Sql, address: Address): Promise<EventReadRow> {
    return mustExist(await findEvent(sql, address), EVENT, address);
  }

  async present(sql: Sql, row: EventReadRow, context: RequestContext, view: EventView): Promise<FoundRecord> {
    const linked = (await this.links.load(sql, [row], context)).get(row.id) as LinkedRecords;
    const modifiedUtc = latestChange(row, linked);
    return { body: presentEvent(row, linked, context, view), revision: row.revision, modifiedUtc };
  }

  /** The events of a list; protected ones without what their password hides. */
  async items(sql: Sql, rows: readonly EventReadRow[], context: RequestContext): Promise<EventResponse[]> {
    const linked = await this.links.load(sql, rows, context);
    return rows.map((row) =>
      presentEvent(row, linked.get(row.id) as LinkedRecords, context, isBlanked(row, context) ? 'blanked' : 'full'),
    );
  }
}
