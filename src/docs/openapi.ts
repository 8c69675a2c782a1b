import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { NAMESPACE } from '../config/mounts.js';
import { version } from '../config/version.js';
import type { Route } from '../platform/http/operation.js';
import { ImageResponse, ImageSizeResponse } from '../platform/images/image.response.js';
import { withKeys } from '../platform/translations/translation.js';
import { applyPendingDecorators } from '../platform/http/api-decorators.js';
import { ErrorResponse } from './document.response.js';
import { withFurtherMembers, withFurtherParameters } from './amended-docs.js';
import { swagger } from './libraries.js';
import { documentOperation } from './operation-docs.js';
import { documentOrdinaryControllers } from './ordinary-docs.js';
import { withSamples } from './samples.js';
import { CostDetailsResponse, DateDetailsResponse } from '../events/event.response.js';

type Paths = OpenAPIObject['paths'];
type PathItem = Paths[string];
type Schemas = Record<string, unknown>;

/** The schemas under `components`, in this order. All others are inlined where they are used. */
const COMPONENTS = ['Event', 'Venue', 'Organizer', 'Term', 'Image', 'ImageSize', 'DateDetails', 'CostDetails', 'Error'];

const TITLE = 'Kalends';
const DESCRIPTION = withKeys(
  'requests',
  'info',
  [
    'Kalends is a calendar service with the REST interface of The Events Calendar: ' +
      'events, and their venues, organizers, categories and tags.',
    '',
    '- **Token:** reading public records needs none; to write, for example by `POST /events`, ' +
      'send `Authorization: Bearer TOKEN` with a token that `kalends token create` has made.',
    '- **Dates:** `start_date` and `end_date` are local times in the `timezone` of the event, ' +
      'such as `2027-12-05 20:00:00`; you may also send words such as `tomorrow 8pm`.',
    '- **Pages:** a list such as `GET /events` reports `total` and `total_pages`, ' +
      'and `next_rest_url` leads to the next page until there is none.',
    '- **Errors:** `code` is for programs, `message` for people, ' +
      'and `data.params` names all invalid parameters of a request at once.',
  ].join('\n'),
);
const BEARER = withKeys('requests', 'security.bearer', {
  type: 'http' as const,
  scheme: 'bearer',
  description: '**With a token,** sent as `Authorization: Bearer TOKEN`. `kalends token create LOGIN` makes one.',
});
const BASIC = withKeys('requests', 'security.basic', {
  type: 'http' as const,
  scheme: 'basic',
  description: '**With login and token,** for programs that support only Basic: the token is the password.',
});

/** Returns the document of all routes below the mounts. Paths are relative to the mount (contract 13.5). */
export function openApiDocument(app: INestApplication, routes: readonly Route[]): OpenAPIObject {
  for (const operation of applyPendingDecorators(swagger())) documentOperation(operation);
  documentOrdinaryControllers(app);
  const config = new (swagger().DocumentBuilder)()
    .setTitle(TITLE)
    .setDescription(DESCRIPTION)
    .setVersion(version())
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addSecurity('bearer', BEARER)
    .addSecurity('basic', BASIC)
    .build();
  const extraModels = [ErrorResponse, ImageResponse, ImageSizeResponse, DateDetailsResponse, CostDetailsResponse];
  const scanned = swagger().SwaggerModule.createDocument(app, config, { extraModels });
  const { contact: _, ...info } = scanned.info;
  const schemas: Schemas = withFurtherMembers(scanned.components?.schemas ?? {}, routes);
  const paths = withFurtherParameters(relativePaths(scanned.paths, routes), routes);
  const ordinary = ordinaryPaths(scanned.paths, paths);
  return withSamples({
    openapi: scanned.openapi,
    info,
    components: {
      schemas: {
        ...(inlined(inOrder(schemas), schemas) as Schemas),
        ...Object.fromEntries(referredBy(ordinary, schemas)),
      } as NonNullable<OpenAPIObject['components']>['schemas'],
      securitySchemes: scanned.components?.securitySchemes,
    },
    servers: [],
    paths: { ...(inlined(paths, schemas) as Paths), ...ordinary },
  });
}

function inOrder(schemas: Schemas): Schemas {
  return Object.fromEntries(COMPONENTS.filter((name) => name in schemas).map((name) => [name, schemas[name]]));
}

function relativePaths(scanned: Paths, routes: readonly Route[]): Paths {
  const ours = routes.filter(({ operations }) => operations.length > 0);
  const entries = ours.map(({ path }) => {
    const template = path.replace(/:(\w+)/g, '{$1}');
    return [template || '/', withEquivalents(scanned[`/${NAMESPACE}${template}`] ?? {})] as const;
  });
  return Object.fromEntries(entries);
}

/** Returns the paths of ordinary controllers below the mounts, as scanned. */
function ordinaryPaths(scanned: Paths, ours: Paths): Paths {
  const entries = Object.entries(scanned)
    .filter(([path]) => path.startsWith(`/${NAMESPACE}/`))
    .map(([path, item]) => [path.slice(NAMESPACE.length + 1), item] as const)
    .filter(([path]) => !Object.hasOwn(ours, path));
  return Object.fromEntries(entries);
}

/** Returns the schemas to which a value refers, and those to which they refer. */
function referredBy(value: unknown, schemas: Schemas, found = new Map<string, unknown>()): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return found;
  const name = refName(value);
  if (name !== undefined && !found.has(name) && !COMPONENTS.includes(name)) {
    found.set(name, schemas[name]);
    referredBy(schemas[name], schemas, found);
  }
  for (const member of Object.values(value)) referredBy(member, schemas, found);
  return found;
}

/** Adds the equivalent POST and PUT operations of an update, which is registered as PATCH. */
function withEquivalents({ get, post, patch, delete: remove }: PathItem): PathItem {
  const twin = (suffix: string) => patch && { ...patch, operationId: `${patch.operationId}${suffix}` };
  const item = { get, post: post ?? twin('Post'), put: twin('Put'), patch, delete: remove };
  return Object.fromEntries(Object.entries(item).filter(([, operation]) => operation !== undefined));
}

/** Inlines references to schemas that are not under `components`. */
function inlined(value: unknown, schemas: Schemas): unknown {
  if (Array.isArray(value)) return value.map((item) => inlined(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const name = refName(value);
  if (name !== undefined && !COMPONENTS.includes(name)) return inlined(schemas[name], schemas);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inlined(member, schemas)]));
}

function refName(value: object): string | undefined {
  const ref = (value as { $ref?: unknown }).$ref;
  return typeof ref === 'string' ? ref.slice('#/components/schemas/'.length) : undefined;
}
