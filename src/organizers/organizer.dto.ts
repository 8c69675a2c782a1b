import type { PostStatus } from '../kernel/post-status.js';
import type { LinkedPostDto } from '../linked-posts/linked-post.kind.js';
import { Email, Html, Text, WebAddress } from '../platform/http/fields/text-fields.js';
import type { BodyExample } from '../platform/http/operation.js';
import type { ImageReference } from '../platform/images/image.reference.js';
import { AuthorField, DateField, DateUtcField, ImageField, PostStatusField, SlugField } from '../posts/post.dto.js';

const name = { max: 500, default: null, example: 'Bob' } as const;

/** The accepted fields of an organizer. null clears a field (contract section 12). */
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

/** Example bodies for the OpenAPI document. Clients can send them unchanged. */
export const ORGANIZER_EXAMPLES: Record<'create' | 'update', Record<string, BodyExample>> = {
  create: {
    full: {
      summary: 'with what there is to say',
      value: {
        organizer: 'Bob',
        description: 'Runs things',
        phone: '+1 555 0101',
        website: 'https://bob.example.org',
        email: 'bob@example.com',
      },
    },
    short: { summary: 'as little as possible', value: { organizer: 'The town' } },
  },
  update: { change: { summary: 'what changes; the rest stays', value: { email: 'bob@example.org', phone: null } } },
};
