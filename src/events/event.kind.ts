import { TABLES } from '../database/tables.js';
import type { PostKind } from '../posts/post.kind.js';

export const EVENT: PostKind = {
  noun: 'event',
  table: TABLES.events,
  collection: 'events',
  errors: {
    notFound: 'rest-event-not-found',
    notAccessible: 'event-not-accessible',
    trashed: 'event-no-longer-available',
    alreadyTrashed: 'event-is-in-trash',
    pageNotFound: 'event-archive-page-not-found',
  },
};
