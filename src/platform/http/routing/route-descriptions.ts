import { withKeys, translated } from '../../translations/translation.js';
import { defaultOf, type DefaultContext, type Field, fieldsOf } from '../fields/field-metadata.js';
import { type Operation, type Route, VERBS } from '../operation.js';
import { type BaseUrl, apiRootOf } from '../base-url.js';

type Argument = { description?: string; type?: string; default?: unknown; required: boolean; items?: { type: string } };

const PLACEHOLDERS: Record<string, { pattern: string; type: string; description: string }> = withKeys(
  'requests',
  'path',
  {
    ':id': { pattern: '(?P<id>\\d+)', type: 'integer', description: 'the id of the record' },
    ':message': { pattern: '(?P<message>[^/]+)', type: 'string', description: 'the webhook-id of the message' },
    ':slug': { pattern: '(?P<slug>[^/]+)', type: 'string', description: 'the slug of the record' },
  },
);

const PARAMETER = /[:*](\w+)/g;

/** Returns the namespace of a mount: its last three segments (contract 13.4). */
function namespaceOf(baseUrl: BaseUrl): string {
  const segments = baseUrl.mount.split('/').filter((segment) => segment !== '');
  return segments.slice(-3).join('/');
}

/** Returns the index: every route with its methods and parameters (contract 13.4). */
export function routeIndex(routes: readonly Route[], baseUrl: BaseUrl, context: DefaultContext): object {
  const namespace = namespaceOf(baseUrl);
  const above = baseUrl.origin + baseUrl.mount.slice(0, -namespace.length);
  return {
    namespace,
    routes: Object.fromEntries(routes.map((route) => [routeKey(route, baseUrl), routeEntry(route, baseUrl, context)])),
    _links: { up: [{ href: above }] },
  };
}

/** Returns the key of a route in the index: `/calendar/events/v1/events/(?P<id>\d+)`. */
function routeKey(route: Route, baseUrl: BaseUrl): string {
  const isOurs = route.operations.length > 0;
  const path = route.path.replace(PARAMETER, (placeholder, name: string) => {
    return (isOurs ? PLACEHOLDERS[placeholder]?.pattern : undefined) ?? `(?P<${name}>[^/]+)`;
  });
  return `/${namespaceOf(baseUrl)}${path}`;
}

/** Returns the description of a route for the index and OPTIONS (contract 13.4). */
export function routeEntry(route: Route, baseUrl: BaseUrl, context: DefaultContext): object {
  const endpoints = route.operations.map((operation) => ({
    methods: VERBS[operation.kind],
    args: translated(argumentsOf(route, operation, context), baseUrl.language),
  }));
  if (endpoints.length === 0) endpoints.push({ methods: route.methods, args: pathArguments(route) });
  const self = { _links: { self: [{ href: apiRootOf(baseUrl) + route.path }] } };
  return {
    namespace: namespaceOf(baseUrl),
    methods: route.methods,
    endpoints,
    ...(route.path.includes(':') ? {} : self),
  };
}

/** Returns the path parameters of an ordinary route, whose other parameters are in the OpenAPI document only. */
function pathArguments({ path }: Route): Record<string, Argument> {
  const names = [...path.matchAll(PARAMETER)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, { type: 'string', required: true }]));
}

function argumentsOf(route: Route, operation: Operation, context: DefaultContext): Record<string, Argument> {
  const fields = operation.accepts === undefined ? [] : fieldsOf(operation.accepts);
  const args = Object.fromEntries(fields.map((field) => [field.name, argument(field, operation, context)]));
  const pathParameters = placeholders(route, operation);
  // A slug may also be a field; the path parameter has priority, and stands first.
  return { ...pathParameters, ...args, ...pathParameters };
}

function placeholders(route: Route, operation: Operation): Record<string, Argument> {
  const found = Object.entries(PLACEHOLDERS).filter(([placeholder]) => route.path.includes(placeholder));
  // The original declares the slug of an event's update as optional, because it is also a field of the event.
  const optional = operation.id.startsWith('updateEvent');
  return Object.fromEntries(
    found.map(([placeholder, { type, description }]) => [
      placeholder.slice(1),
      { description, type, required: !(optional && placeholder === ':slug') },
    ]),
  );
}

function argument(field: Field, operation: Operation, context: DefaultContext): Argument {
  const { description, type, required } = field;
  const defaultValue = defaultOf(field, context);
  return {
    description,
    ...(type === undefined ? {} : { type }),
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    required: (operation.kind === 'create' || operation.kind === 'act') && required === true,
    ...(type === 'array' ? { items: { type: 'integer' } } : {}),
  };
}
