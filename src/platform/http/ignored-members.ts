import { membersOf } from '../docs/api-decorators.js';
import { fieldsOf } from './field.js';
import type { Operation } from './operation.js';

const MOST_NAMES = 20;
const MOST_CHARACTERS = 64;
const MOST_BYTES = 1000;
const BETWEEN = ', ';
/** What a header can hold as it is (RFC 9110, section 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;

/**
 * The members of a body that this write has no use for, as the header X-Kalends-Ignored names them (contract 2.1): neither
 * fields, nor read-only members of its answer, nor `context`. Undefined: there are none.
 */
export function ignoredMembers({ accepts, answers }: Operation, body: Record<string, unknown>): string | undefined {
  const fields = accepts === undefined ? [] : fieldsOf(accepts).map(({ name }) => name);
  const known = new Set([...fields, ...(answers === undefined ? [] : membersOf(answers)), 'context']);
  // A name without characters cannot be named.
  const ignored = Object.keys(body).filter((name) => name !== '' && !known.has(name));
  const names: string[] = [];
  let bytes = 0;
  for (const name of ignored.slice(0, MOST_NAMES).map(inHeader)) {
    bytes += name.length + (names.length === 0 ? 0 : BETWEEN.length);
    if (bytes > MOST_BYTES) break;
    names.push(name);
  }
  return names.length === 0 ? undefined : names.join(BETWEEN);
}

function inHeader(name: string): string {
  const shown = Array.from(name.toWellFormed()).slice(0, MOST_CHARACTERS).join('');
  return TOKEN.test(shown) ? shown : encodeURIComponent(shown).replace(/[()]/g, (bracket) => BRACKETS[bracket] ?? '');
}

const BRACKETS: Readonly<Record<string, string>> = { '(': '%28', ')': '%29' };
