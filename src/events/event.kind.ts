import { postKind } from '../posts/post.kind.js';

const kind = postKind('event');

export const EVENT = { ...kind, errors: { ...kind.errors, trashed: 'event-no-longer-available' } } as const;
