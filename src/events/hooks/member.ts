import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Sql } from '../../database/sql/dialect.js';
import { documentedMembers } from '../../platform/http/api-decorators.js';
import { discovered, type Discovered } from '../../platform/http/discovered.js';
import { fieldsOf } from '../../platform/http/fields/field-metadata.js';
import type { Amendment, MemberSchema } from '../../platform/http/operation.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { RouteTable } from '../../platform/http/routing/route-table.js';
import { EventByIdDto } from '../event.dto.js';
import { EventPageResponse, EventResponse } from '../event.response.js';
import { Names } from './names.js';

/** A further member of events in responses. */
export interface EventMemberOptions {
  /** Its name, in snake_case. No member or field of events and no member of another module may have it. */
  readonly name: string;
  /**
   * The OpenAPI schema of a value, with its description. The member appears in `/doc` as nullable, and X-Kalends-Ignored
   * does not report it if a client sends an event back.
   */
  readonly schema: MemberSchema;
}

/**
 * The values of a further member. Every event in a response has the member: in lists, alone, and in the responses of
 * writes. It is null if there is no value, and in lists for a protected event whose password hides its members.
 *
 * A change of the values must be made in `Database.inTransaction` together with `tx.recordChange`, so that cached responses
 * expire with the commit. So values must not change with time alone. The ETag is made from the body, so it changes with the member. The revision does not, so
 * If-Match of a write compares the event alone. With such a member, responses have no Last-Modified: the service does
 * not know when the member changed, and a shared cache would answer 304 for an older date.
 */
export interface EventMemberValues<Value = unknown> {
  /**
   * Returns the values by event id. Called once for all events of a response, so use one statement. `sql` is the
   * transaction of a write, else the database.
   */
  valuesFor(ids: readonly number[], sql: Sql, context: RequestContext): Promise<ReadonlyMap<number, Value>>;
}

const MEMBER = DiscoveryService.createDecorator<EventMemberOptions>();

/** Adds a provider of any module to the members of events in responses. It must have the default scope. */
export function EventMember(options: EventMemberOptions): (target: Type<EventMemberValues>) => void {
  return MEMBER(options);
}

type Provided = Discovered<EventMemberOptions, EventMemberValues>;

/** The members of all modules. */
@Injectable()
export class EventMembers implements OnModuleInit {
  private members: readonly Provided[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly routes: RouteTable,
  ) {}

  onModuleInit(): void {
    this.members = membersIn(this.discovery);
    this.routes.amend(memberAmendment(this.discovery));
  }

  get isEmpty(): boolean {
    return this.members.length === 0;
  }

  /** Returns responses with the members. They are null for events whose ids are not in `shownIds`. */
  async addTo<Body extends { readonly id: number }>(
    bodies: readonly Body[],
    shownIds: readonly number[],
    sql: Sql,
    context: RequestContext,
  ): Promise<Body[]> {
    const shown = new Set(shownIds);
    const values: ReadonlyMap<number, unknown>[] = [];
    for (const { provider } of shown.size === 0 ? [] : this.members)
      values.push(await provider.valuesFor(shownIds, sql, context));
    const valueOf = (id: number, index: number) => (shown.has(id) ? (values[index]?.get(id) ?? null) : null);
    return bodies.map((body) => ({
      ...body,
      ...Object.fromEntries(this.members.map(({ options }, index) => [options.name, valueOf(body.id, index)])),
    }));
  }
}

/** Returns the change of the operations on events that documents the members. Needs no instances. */
export function memberAmendment(discovery: DiscoveryService): Amendment {
  const members = membersIn(discovery);
  if (members.length === 0) return (operation) => operation;
  const names = new Names('member of events', [
    ...documentedMembers(EventResponse),
    ...documentedMembers(EventPageResponse),
    ...fieldsOf(EventByIdDto).map(({ name }) => name),
  ]);
  for (const { options } of members) names.add(options.name);
  const furtherMembers = Object.fromEntries(members.map(({ options: { name, schema } }) => [name, schema]));
  return (operation) => (operation.answers === EventResponse ? { ...operation, furtherMembers } : operation);
}

function membersIn(discovery: DiscoveryService): Provided[] {
  return discovered(discovery, MEMBER);
}
