// Makes the document ready for being tried out. Runs in the browser.

import { translated } from './labels.browser.js';

/**
 * @typedef {{ type?: string, default?: unknown, items?: { type?: string, anyOf?: unknown } }} Schema
 * @typedef {{ in: string, description?: string, example?: unknown, schema: Schema }} Parameter
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
function readyParameter({ example, ...parameter }) {
  const schema = readySchema(parameter.schema);
  if (example === undefined) return { ...parameter, schema };
  const shown = `${translated('Example')}: \`${typeof example === 'string' ? example : JSON.stringify(example)}\``;
  return { ...parameter, schema, description: [parameter.description, shown].filter(Boolean).join('\n\n') };
}

/**
 * The form knows true and false, not 1, and lists of one type.
 *
 * @param {Schema} schema
 * @returns {Schema}
 */
function readySchema(schema) {
  if (schema.type === 'boolean' && schema.default === '1') return { ...schema, default: true };
  if (schema.type === 'array' && schema.items?.anyOf !== undefined) return { ...schema, items: { type: 'string' } };
  return schema;
}
