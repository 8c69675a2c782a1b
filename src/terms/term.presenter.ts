import type { Urls } from '../platform/http/base-url.js';
import type { TermRecord } from './term.query.js';
import type { TermResponse } from './term.response.js';

/** Returns a term. Its form is the same in events, lists, single reads and writes (contract TERM-19). */
export function presentTerm(term: TermRecord, urls: Urls): TermResponse {
  const { id, kind, parent } = term;
  return {
    id,
    count: term.event_count,
    description: term.description,
    name: term.name,
    slug: term.slug,
    taxonomy: kind.taxonomy,
    parent,
    meta: [],
    url: urls.page(kind.page, term.slug),
    urls: {
      self: urls.record(kind.collection, id),
      collection: urls.collection(kind.collection),
      ...(parent === 0 ? {} : { up: urls.record(kind.collection, parent) }),
    },
    term_group: 0,
    term_taxonomy_id: id,
    filter: 'raw',
  };
}
