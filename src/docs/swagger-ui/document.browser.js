// Makes the document ready for being tried out. Runs in the browser.

import { translated } from './labels.browser.js';

/**
 * @typedef {{
 *   type?: string, default?: unknown, example?: unknown, anyOf?: Schema[], items?: { type?: string, anyOf?: unknown }
 * }} Schema
 * @typedef {{ in: string, description?: string, schema: Schema }} Parameter
 */

/**
 * Swagger UI fills its form with the examples of all parameters, and would send a request that sets every filter there
 * is: here they are shown beside the fields instead.
 *
 * @param {{ paths?: Record<string, Record<string, { parameters?: Parameter[] }>> }} document
 */
export function readyToTry(document) {
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(path)) operation.parameters = operation.parameters?.map(readyParameter);
  }
  return document;
}

/**
 * @param {Parameter} parameter
 * @returns {Parameter}
 */
function readyParameter(parameter) {
  const { example, ...schema } = parameter.schema;
  const ready = { ...parameter, schema: readySchema(schema) };
  if (example === undefined) return ready;
  const text = typeof example === 'string' ? example : JSON.stringify(example);
  const shown = `${translated('Example')}: \`${Array.isArray(example) ? example.join() : text}\``;
  return { ...ready, description: [parameter.description, shown].filter(Boolean).join('\n\n') };
}

/**
 * The form knows one type a field, true and false but not 1, and lists of one type.
 *
 * @param {Schema} schema
 * @returns {Schema}
 */
function readySchema({ anyOf: [form] = [], ...schema }) {
  if (form !== undefined) return { ...schema, ...form };
  if (schema.type === 'boolean' && schema.default === '1') return { ...schema, default: true };
  if (schema.type === 'array' && schema.items?.anyOf !== undefined) return { ...schema, items: { type: 'string' } };
  return schema;
}
