import { named, translated } from '../../translations/translation.js';
import { defaultOf, type Moment } from '../fields/field-metadata.js';
import { type Field, fieldsOf } from '../fields/field-metadata.js';
import { type Operation, type Route, VERBS } from '../operation.js';
import { type BaseUrl, rootUrl } from '../base-url.js';

type Argument = { description?: string; type?: string; default?: unknown; required: boolean; items?: { type: string } };

const PLACEHOLDERS: Record<string, { pattern: string; type: string; description: string }> = named('requests', 'path', {
  ':id': { pattern: '(?P<id>\\d+)', type: 'integer', description: 'the id of the record' },
  ':slug': { pattern: '(?P<slug>[^/]+)', type: 'string', description: 'the slug of the record' },
});

/** The namespace that a mount announces: its last three segments (contract 13.4). */
function namespaceOf(root: BaseUrl): string {
  const segments = root.mount.split('/').filter((segment) => segment !== '');
  return segments.slice(-3).join('/');
}

/** What the index answers: every route with its methods and parameters (contract 13.4). */
export function routeIndex(routes: readonly Route[], root: BaseUrl, moment: Moment): object {
  const namespace = namespaceOf(root);
  const above = root.origin + root.mount.slice(0, -namespace.length);
  return {
    namespace,
    routes: Object.fromEntries(routes.map((route) => [routeKey(route, root), routeEntry(route, root, moment)])),
    _links: { up: [{ href: above }] },
  };
}

/** The key of a route in the index: `/calendar/events/v1/events/(?P<id>\d+)`. */
function routeKey(route: Route, root: BaseUrl): string {
  const path = Object.entries(PLACEHOLDERS).reduce(
    (text, [place, { pattern }]) => text.replace(place, pattern),
    route.path,
  );
  return `/${namespaceOf(root)}${path}`;
}

/** What the index, and OPTIONS, tell of a route (contract 13.4). */
export function routeEntry(route: Route, root: BaseUrl, moment: Moment): object {
  const endpoints = route.operations.map((operation) => ({
    methods: VERBS[operation.kind],
    args: translated(argumentsOf(route, operation, moment), root.language),
  }));
  const self = { _links: { self: [{ href: rootUrl(root) + route.path }] } };
  return { namespace: namespaceOf(root), methods: route.methods, endpoints, ...(route.path.includes(':') ? {} : self) };
}

function argumentsOf(route: Route, operation: Operation, moment: Moment): Record<string, Argument> {
  const fields = operation.accepts === undefined ? [] : fieldsOf(operation.accepts);
  const args = Object.fromEntries(fields.map((field) => [field.name, argument(field, operation, moment)]));
  const places = placeholders(route, operation);
  // A slug may be a field as well; what the path says of it counts.
  return { ...places, ...args, ...places };
}

function placeholders(route: Route, operation: Operation): Record<string, Argument> {
  const found = Object.entries(PLACEHOLDERS).filter(([place]) => route.path.includes(place));
  // The original declares the slug of an event's update as optional, since it is a field of the event as well.
  const optional = operation.id.startsWith('updateEvent');
  return Object.fromEntries(
    found.map(([place, { type, description }]) => [
      place.slice(1),
      { description, type, required: !(optional && place === ':slug') },
    ]),
  );
}

function argument(field: Field, operation: Operation, moment: Moment): Argument {
  const { description, type, required } = field;
  const byDefault = defaultOf(field, moment);
  return {
    description,
    ...(type === undefined ? {} : { type }),
    ...(byDefault === undefined ? {} : { default: byDefault }),
    required: operation.kind === 'create' && required === true,
    ...(type === 'array' ? { items: { type: 'integer' } } : {}),
  };
}
