import type { TermKind } from '../terms/term.kind.js';

export const TAG: TermKind = {
  noun: 'tag',
  taxonomy: 'post_tag',
  collection: 'tags',
  page: 'tag',
  capability: 'manage_tags',
  notFound: 'rest-tag-not-found',
  namesakes: 'in this taxonomy',
  hasChildren: false,
};
