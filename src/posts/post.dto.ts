import { POST_STATUSES, type PostStatus } from '../kernel/post-status.js';
import { slugify } from '../kernel/text/slug.js';
import type { Check } from '../platform/http/fields/field-metadata.js';
import { Choice, Flag, Int, WireDate } from '../platform/http/fields/value-fields.js';
import { Choices, Form } from '../platform/http/fields/list-fields.js';
import { Slug } from '../platform/http/fields/text-fields.js';
import { type ImageReference, readImageReference } from '../platform/images/image.reference.js';

/** The accepted fields that events, venues and organizers share. null clears a field (contract 2.2). */
export interface PostDto {
  status?: PostStatus;
  author?: number;
  date?: string | number;
  date_utc?: string | number;
  slug?: string | null;
  description?: string | null;
  image?: ImageReference | null;
}

const IMAGE: Check = ['rest_invalid_image', () => true, 'is not a valid image.'];

type Documented = { readonly default?: null };

export const PostStatusField = (options: Documented = {}) =>
  Choice('the post status', { words: POST_STATUSES, whenEmpty: 'refuse', enum: undefined, ...options });
export const AuthorField = (options: Documented = {}) =>
  Int('the id of the author', { example: 1, whenEmpty: 'refuse', ...options });
export const DateField = (options: Documented = {}) =>
  WireDate('the publication date, in the time zone of the site', { type: 'string', whenEmpty: 'refuse', ...options });
export const DateUtcField = (options: Documented = {}) =>
  WireDate('the publication date in UTC', { type: 'string', whenEmpty: 'refuse', ...options });
export const SlugField = () => Slug('the last part of the human address; unset: made from the name', slugify);
export const ImageField = (options: Documented = {}) =>
  Form('the id or URL of the featured image', {
    read: readImageReference,
    checks: [IMAGE],
    type: 'string',
    example: 'https://example.com/jazz.jpg',
    isList: false,
    ...options,
  });

/** The status filter of lists. `any` means all statuses except trash (contract 9.3). */
export const StatusFilter = () => Choices('the post status', { words: [...POST_STATUSES, 'any'] });
export type StatusWord = PostStatus | 'any';

/** The parameters of DELETE for events, venues and organizers (contract 10.6). */
export class PostDeletion {
  @Flag('whether to delete the record for good instead of moving it to the trash') force?: boolean;
}
