import { linkedPostKind } from '../linked-posts/linked-post.kind.js';
import { OrganizerDto } from './organizer.dto.js';

export const ORGANIZER = linkedPostKind('organizer', OrganizerDto, {
  searched: ['description', 'phone', 'email', 'website'],
});
