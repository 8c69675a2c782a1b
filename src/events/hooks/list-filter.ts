import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { Sql } from '../../database/sql/dialect.js';
import type { Problems } from '../../errors/problems.js';
import type { SqlCondition } from '../../kernel/sql-condition.js';
import { discovered, type Discovered } from '../../platform/http/discovered.js';
import { fieldsOf } from '../../platform/http/fields/field-metadata.js';
import type { Amendment } from '../../platform/http/operation.js';
import type { RequestContext } from '../../platform/http/request-context.js';
import { RouteTable } from '../../platform/http/routing/route-table.js';
import { EventFeedParams, EventParams } from '../event.params.js';
import { Names } from './names.js';

/** A further filter of `GET /events` and of the iCalendar feed. */
export interface EventListFilterOptions {
  /** The name of the query parameter, in snake_case. No parameter of the list and no other filter may have it. */
  readonly name: string;
  /**
   * A decorator of `platform/http/fields`, such as `Int('events in this room', { min: 1 })`. It documents, coerces and
   * checks the parameter. The parameter appears in `/doc`, in the index and in OPTIONS.
   */
  readonly field: PropertyDecorator;
  /**
   * Whether the condition reads something that a password hides: members of events other than title, slug, dates, author,
   * status and parent, or what the module shows by `@EventMember`. If true, callers who may not see it do not find
   * protected events, because the result would reveal it.
   */
  readonly hiddenBehindPassword: boolean;
  /** Whether the result changes with time, without a commit. If true, no response is cached. */
  readonly usesClock: boolean;
}

/** The condition of a further filter. `Value` is the type that the field coerces to. */
export interface EventCondition<Value = unknown> {
  /**
   * Returns the condition for rows of `events e`, or undefined to list all events. The time in it is `context.nowUtc`, not
   * that of the database. A change of the rows that it reads must be made in `Database.inTransaction` together with
   * `tx.recordChange`, so that cached lists expire with the commit.
   */
  condition(value: Value, context: RequestContext): SqlCondition | undefined;
  /** Returns what of a well-formed value does not exist for the caller. The request is then rejected with 400. */
  findUnknown?(value: Value, sql: Sql, context: RequestContext): Promise<readonly (string | number)[]>;
}

/** A further filter that a request uses. */
export interface GivenFilter {
  readonly name: string;
  readonly hiddenBehindPassword: boolean;
  readonly usesClock: boolean;
  /** undefined: the value excludes no event. */
  readonly toSql: LazyCondition | undefined;
}

/** Makes a condition only when a statement needs it, because that of a search may have thousands of ids. */
export type LazyCondition = () => SqlCondition;

const FILTER = DiscoveryService.createDecorator<EventListFilterOptions>();

/** Adds a provider of any module to the filters of `GET /events`. It must have the default scope. */
export function EventListFilter(options: EventListFilterOptions): (target: Type<EventCondition<never>>) => void {
  return FILTER(options);
}

type Provided = Discovered<EventListFilterOptions, EventCondition>;

/** The filters of all modules. */
@Injectable()
export class EventListFilters implements OnModuleInit {
  private filters: readonly Provided[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly routes: RouteTable,
  ) {}

  onModuleInit(): void {
    this.filters = filtersIn(this.discovery);
    this.routes.amend(parameterAmendment(this.discovery));
  }

  get isEmpty(): boolean {
    return this.filters.length === 0;
  }

  /** Returns the filters whose parameters are given. Reports values that do not exist. */
  async given(sql: Sql, params: EventParams, problems: Problems, context: RequestContext): Promise<GivenFilter[]> {
    const values = params as unknown as Readonly<Record<string, unknown>>;
    const given: GivenFilter[] = [];
    for (const { options, provider } of this.filters) {
      const { name } = options;
      const value = values[name];
      if (value === undefined) continue;
      const unknown = (await provider.findUnknown?.(value, sql, context)) ?? [];
      problems.addUnknown(name, unknown);
      const found = unknown.length > 0 ? undefined : provider.condition(value, context);
      given.push({ ...options, toSql: found && (() => enclosed(found)) });
    }
    return given;
  }
}

/** Returns the change of `listEvents` and `getEventsFeed` by which they accept the parameters of the filters. Needs no instances. */
export function parameterAmendment(discovery: DiscoveryService): Amendment {
  const filters = filtersIn(discovery);
  if (filters.length === 0) return (operation) => operation;
  const names = new Names('parameter of GET /events', [...fieldsOf(EventParams).map(({ name }) => name), 'context']);
  for (const { options } of filters) names.add(options.name);
  const further = new Map<unknown, Type<object>>();
  for (const type of [EventParams, EventFeedParams]) {
    class FurtherEventParams extends type {}
    for (const { options } of filters) options.field(FurtherEventParams.prototype, options.name);
    further.set(type, FurtherEventParams);
  }
  return (operation) => {
    const accepts = further.get(operation.accepts);
    return accepts === undefined ? operation : { ...operation, accepts };
  };
}

function filtersIn(discovery: DiscoveryService): Provided[] {
  return discovered(discovery, FILTER);
}

/** In brackets, because an OR of a module must not weaken the other conditions of the list. */
function enclosed({ sql, params }: SqlCondition): SqlCondition {
  return { sql: `(${sql})`, params };
}
