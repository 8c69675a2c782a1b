// Prepares the document for Swagger UI. Runs in the browser.

import { translated } from './labels.browser.js';

/**
 * @typedef {{
 *   type?: string, default?: unknown, example?: unknown, anyOf?: Schema[], items?: { type?: string, anyOf?: unknown },
 *   properties?: Record<string, Schema>
 * }} Schema
 * @typedef {{ in: string, description?: string, schema: Schema }} Parameter
 * @typedef {{
 *   operationId?: string, tags?: string[], description?: string, parameters?: Parameter[],
 *   requestBody?: { content?: Record<string, { schema?: Schema }> }
 * }} Operation
 * @typedef {Record<string, Operation>} PathItem
 * @typedef {{
 *   info?: { description?: string }, tags?: { name: string, description: string }[], paths?: Record<string, PathItem>
 * }} ApiDocument
 */

/** What the groups of operations are about. The document has no list of them (contract 13.5). */
const GROUPS = {
  Service: 'Describes itself: its routes, and this document.',
  Events: 'What takes place, and when.',
  Venues: 'Where events take place.',
  Organizers: 'Who holds events.',
  Categories: 'Terms that sort events, in a tree.',
  Tags: 'Keywords of events, without an order.',
  Changes: 'What has changed, for programs that keep a copy.',
  Webhooks: 'Addresses to which signed messages about changes are sent.',
};

const FORM = 'application/x-www-form-urlencoded';

/** @param {ApiDocument} document */
export function prepared(document) {
  const paths = document.paths ?? {};
  for (const item of Object.values(paths)) leaveOutTwins(item);
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const anchors = anchorsOf(paths);
  if (document.info !== undefined) linkOperations(document.info, anchors);
  for (const operation of operations) {
    linkOperations(operation, anchors);
    operation.parameters = operation.parameters?.map(preparedParameter);
    emptyForm(operation.requestBody?.content?.[FORM]?.schema);
  }
  // The page would show a group without operations, too, such as that of a room that is switched off.
  const used = new Set(operations.flatMap(({ tags = [] }) => tags));
  document.tags = Object.entries(GROUPS)
    .filter(([name]) => used.has(name))
    .map(([name, about]) => ({ name, description: translated(about) }));
  return document;
}

/**
 * Leaves POST and PUT out where they do the same as PATCH (contract 1.1).
 *
 * @param {PathItem} item
 */
function leaveOutTwins(item) {
  const id = item.patch?.operationId ?? '';
  if (item.post?.operationId === `${id}Post`) delete item.post;
  if (item.put?.operationId === `${id}Put`) delete item.put;
}

/**
 * Returns the anchors of operations by method and path: `GET /events`.
 *
 * @param {Record<string, PathItem>} paths
 */
function anchorsOf(paths) {
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { tags: [tag = ''] = [], operationId = '' }]) => [
        `${method.toUpperCase()} ${path}`,
        `#/${encodeURIComponent(tag)}/${operationId}`,
      ]),
    ),
  );
}

/**
 * Makes links of operations that a description names, such as `GET /events`.
 *
 * @param {{ description?: string }} holder
 * @param {Map<string, string>} anchors
 */
function linkOperations(holder, anchors) {
  holder.description = holder.description?.replace(/`([A-Z]+ \/\S*)`/g, (code, /** @type {string} */ name) => {
    const anchor = anchors.get(name);
    return anchor === undefined ? code : `[${code}](${anchor})`;
  });
}

/**
 * Moves the default and the example of a parameter into its description. Swagger UI would otherwise fill the form with
 * them and send a request with every filter.
 *
 * @param {Parameter} parameter
 * @returns {Parameter}
 */
function preparedParameter(parameter) {
  const { example, default: byDefault, ...schema } = parameter.schema;
  const hints = [
    ...(byDefault === undefined ? [] : [translated(`Default: ${shown(byDefault)}`)]),
    ...(example === undefined || example === byDefault ? [] : [translated(`Example: ${shown(example)}`)]),
  ];
  return {
    ...parameter,
    schema: simplified(schema),
    description: [parameter.description, hints.join(' · ')].filter(Boolean).join('\n\n'),
  };
}

/** @param {unknown} value */
function shown(value) {
  const text = Array.isArray(value) ? value.join() : typeof value === 'string' ? value : JSON.stringify(value);
  return `\`${text}\``;
}

/**
 * Simplifies a schema: the form supports one type per field, and lists of one type.
 *
 * @param {Schema} schema
 * @returns {Schema}
 */
function simplified({ anyOf: [form] = [], ...schema }) {
  if (form !== undefined) return { ...schema, ...form };
  if (schema.type === 'array' && schema.items?.anyOf !== undefined) return { ...schema, items: { type: 'string' } };
  return schema;
}

/**
 * Leaves the fields of a form empty. Swagger UI would otherwise fill each with a default, an example or a made-up value,
 * and send them all.
 *
 * @param {Schema | undefined} schema
 */
function emptyForm(schema) {
  for (const [name, { default: _default, ...field }] of Object.entries(schema?.properties ?? {})) {
    const { type, ...simple } = simplified(field);
    const empty = type === 'array' ? { type, example: [] } : { type: 'string', example: '' };
    if (schema?.properties !== undefined) schema.properties[name] = { ...simple, ...empty };
  }
}
