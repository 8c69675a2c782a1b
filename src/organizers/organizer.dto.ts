import type { PostStatus } from '../kernel/post-status.js';
import type { LinkedPostDto } from '../linked-posts/linked-post.dto.js';
import { Email, Html, Text, WebAddress } from '../platform/http/text-fields.js';
import type { ImageReference } from '../platform/images/image.reference.js';
import { AuthorField, DateField, DateUtcField, ImageField, PostStatusField, SlugField } from '../posts/post.dto.js';

const name = { max: 500, default: null, example: 'Bob' } as const;

/** The fields of an organizer as they are written (contract section 12); null clears. */
export class OrganizerDto implements LinkedPostDto {
  @Text('the organizer name', { ...name, required: true, whenEmpty: 'refuse' }) organizer?: string;
  @Html('the organizer description', { default: null }) description?: string | null;
  @PostStatusField({ default: null }) status?: PostStatus;
  @AuthorField({ default: null }) author?: number;
  @DateField({ default: null }) date?: string | number;
  @DateUtcField({ default: null }) date_utc?: string | number;
  @Text('the telephone number', { max: 100, default: null, example: '+1 555 0101' }) phone?: string | null;
  @WebAddress('the URL of the organizer website', { default: null }) website?: string | null;
  @Email('the e-mail address', { default: null }) email?: string | null;
  @ImageField({ default: null }) image?: ImageReference | null;
  @SlugField() slug?: string | null;
}
