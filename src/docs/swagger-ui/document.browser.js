// Prepares the document for Swagger UI's "Try it out". Runs in the browser.

import { translated } from './labels.browser.js';

/**
 * @typedef {{
 *   type?: string, default?: unknown, example?: unknown, anyOf?: Schema[], items?: { type?: string, anyOf?: unknown }
 * }} Schema
 * @typedef {{ in: string, description?: string, schema: Schema }} Parameter
 */

/**
 * Moves the examples of parameters into their descriptions. Swagger UI would otherwise fill the form with them and send
 * a request with every filter.
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
 * Simplifies a schema: the form supports one type per field, booleans only as true and false, and lists of one type.
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
