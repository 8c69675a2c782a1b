import type { TermKind } from '../terms/term.kind.js';

export const CATEGORY: TermKind = {
  noun: 'category',
  taxonomy: 'tribe_events_cat',
  collection: 'categories',
  page: 'events/category',
  capability: 'manage_categories',
  notFound: 'rest-category-not-found',
  namesakes: 'with this parent',
  hasChildren: true,
};
