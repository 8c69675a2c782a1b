/**
 * The public interface of the package `kalends`. Other files of it are not importable, and change without notice.
 * docs/extending.md shows the use.
 */
import 'reflect-metadata';

// Decorators of TypeORM convert `Date` with the time zone of the process, as in the programs of the service.
process.env.TZ = 'UTC';

// The application and its programs
export { createApp, type Extension } from './create-app.js';
export { runService as serve } from './process/program.js';
export { commandLine } from './process/commands.js';
/** Paths that begin with it are below every mount: `@Controller(`${NAMESPACE}/rooms`)`. */
export { NAMESPACE } from './config/mounts.js';
export { Clock } from './config/clock.js';
export { Environment } from './config/environment.js';

// Requests
export { Caller, Context, IdParam, Requires, SlugParam } from './platform/http/param-decorators.js';
export type { RequestContext } from './platform/http/request-context.js';
export type { KalendsRequest } from './platform/http/request.js';
export { CommandContext } from './platform/http/command-context.js';
export type { Capability, Role } from './kernel/capability.js';
export { PipelineStage, type Stage, type StagePlace } from './platform/http/pipeline/stage.js';
export { type Reply, type ReplyParts, type WrittenReply, isReply, replyOf } from './platform/http/reply.js';
/** Runs the transaction of a write route of ours, and stores its reply if there is an Idempotency-Key. */
export { writeReply } from './platform/http/responses/record-reply.js';

// Errors
export { ApiError, apiError, type ErrorExtras } from './errors/api-error.js';
export { type ErrorCode, type ModuleErrors, registerErrors } from './errors/error-catalogue.js';
export { Problems } from './errors/problems.js';

// Hooks into events
export { type EventHook, type EventWrite, EventWriteHook, type StoredWrite } from './events/hooks/write-hook.js';
export { type EventCondition, EventListFilter, type EventListFilterOptions } from './events/hooks/list-filter.js';
export { EventMember, type EventMemberOptions, type EventMemberValues } from './events/hooks/member.js';
export type { EventRow } from './events/event.entity.js';
export type { EventLinkIds } from './events/event.link-kinds.js';

// The database
export { Database } from './database/database.js';
export { Transaction } from './database/connection/transaction.js';
export type { Sql } from './database/sql/dialect.js';
export { allOf, anyOf, condition, isOneOf, not, type SqlCondition } from './kernel/sql-condition.js';

// Our own decorators, the short way: a route, a field or a parameter in one line
export {
  Creates,
  Deletes,
  Describes,
  Lists,
  Reads,
  ResourceController,
  Updates,
} from './platform/http/routing/route-decorators.js';
export { Input, readInput } from './platform/http/fields/input.js';
export { Choices, Form, IdList, ReferenceList } from './platform/http/fields/list-fields.js';
export { PageNumber, PageSize, requestedPage } from './platform/http/fields/page-fields.js';
export { Email, Html, RawText, Slug, Text, WebAddress, Zone } from './platform/http/fields/text-fields.js';
export { Choice, Double, Flag, Int, WireDate } from './platform/http/fields/value-fields.js';

// The services of the resources. A module that injects one imports the module of it.
export { EventsModule } from './events/events.module.js';
export { EventsService } from './events/events.service.js';
export { EventDto } from './events/event.dto.js';
export { VenuesModule } from './venues/venues.module.js';
export { VenuesService } from './venues/venues.service.js';
export { OrganizersModule } from './organizers/organizers.module.js';
export { OrganizersService } from './organizers/organizers.service.js';
export { CategoriesModule } from './categories/categories.module.js';
export { CategoriesService } from './categories/categories.service.js';
export { TagsModule } from './tags/tags.module.js';
export { TagsService } from './tags/tags.service.js';
export { UsersService } from './platform/auth/users.service.js';
export { byId, bySlug, type IdOrSlug } from './kernel/id-or-slug.js';
