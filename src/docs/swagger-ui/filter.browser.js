// Filters the operations of the page by words. Runs in the browser.

import { translated } from './labels.browser.js';

/**
 * What we use of Immutable collections.
 *
 * @typedef {{ get(key: string): unknown, getIn(path: string[]): unknown }} ImmutableMap
 * @typedef {{ filter(keep: (item: ImmutableMap) => boolean): Operations, readonly size: number }} Operations
 * @typedef {ImmutableMap & { update(key: string, change: (list: Operations) => Operations): Group }} Group
 * @typedef {{
 *   map(change: (group: Group, tag: string) => Group): Groups, filter(keep: (group: Group) => boolean): Groups
 * }} Groups
 */

/**
 * Returns the operations that contain every word in their method, path, texts, or the names of their parameters.
 * Replaces the filter of Swagger UI, which compares names of groups only.
 *
 * @param {Groups} groups
 * @param {string} phrase
 */
export function opsFilter(groups, phrase) {
  const words = folded(phrase).split(/\s+/);
  return groups
    .map((group, tag) =>
      group.update('operations', (operations) =>
        operations.filter((operation) => {
          const text = folded(`${translated(tag)} ${textOf(operation)}`);
          return words.every((word) => text.includes(word));
        }),
      ),
    )
    .filter((group) => /** @type {Operations} */ (group.get('operations')).size > 0);
}

/** @param {ImmutableMap} entry */
function textOf(entry) {
  const operation = /** @type {ImmutableMap} */ (entry.get('operation'));
  const parameters = /** @type {Iterable<ImmutableMap>} */ (operation.get('parameters') ?? []);
  return [
    entry.get('method'),
    entry.get('path'),
    ...['operationId', 'summary', 'description'].map((member) => operation.get(member)),
    ...Array.from(parameters, (parameter) => parameter.get('name')),
  ].join(' ');
}

/**
 * Returns a text without case and accents.
 *
 * @param {string} text
 */
function folded(text) {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
