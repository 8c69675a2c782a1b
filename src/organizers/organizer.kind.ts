import { TABLES } from '../database/tables.js';
import type { LinkedPostKind } from '../linked-posts/linked-post.kind.js';
import { OrganizerDto } from './organizer.dto.js';

export const ORGANIZER: LinkedPostKind = {
  noun: 'organizer',
  nameField: 'organizer',
  table: TABLES.organizers,
  collection: 'organizers',
  linkTable: TABLES.eventOrganizers,
  linkColumn: 'organizer_id',
  errors: {
    notFound: 'rest-organizer-not-found',
    notAccessible: 'organizer-not-accessible',
    trashed: 'organizer-not-accessible',
    alreadyTrashed: 'organizer-is-in-trash',
    pageNotFound: 'organizer-archive-page-not-found',
  },
  dto: OrganizerDto,
  columns: { description: '', phone: '', website: '', email: '' },
  searched: ['description', 'phone', 'email', 'website'],
};
