import type { PostStatus } from '../kernel/post-status.js';
import type { LinkedPostDto } from '../linked-posts/linked-post.kind.js';
import { Html, Text, WebAddress } from '../platform/http/fields/text-fields.js';
import { Double, Flag } from '../platform/http/fields/value-fields.js';
import type { BodyExample } from '../platform/http/operation.js';
import type { ImageReference } from '../platform/images/image.reference.js';
import { AuthorField, DateField, DateUtcField, ImageField, PostStatusField, SlugField } from '../posts/post.dto.js';

const short = { max: 100, default: null } as const;
const line = { max: 500, default: null } as const;
/** The contract declares text, but accepts every form of a boolean (contract VO-14). */
const flag = { type: 'string', default: null } as const;

/** The accepted fields of a venue. null clears a field (contract 11.3). */
export class VenueDto implements LinkedPostDto {
  @Text('the venue name', { ...line, required: true, whenEmpty: 'refuse', example: 'Grand Hall' }) venue?: string;
  @Html('the venue description', { default: null }) description?: string | null;
  @PostStatusField() status?: PostStatus;
  @AuthorField() author?: number;
  @DateField() date?: string | number;
  @DateUtcField() date_utc?: string | number;
  @Flag('whether events at the venue show a map', flag) show_map?: boolean | null;
  @Flag('whether events at the venue show a link to a map', flag) show_map_link?: boolean | null;
  @Text('the address', { ...line, example: '1 Main St' }) address?: string | null;
  @Text('the city', { ...line, example: 'Springfield' }) city?: string | null;
  @Text('the country', { ...line, example: 'United States' }) country?: string | null;
  @Text('the region or canton', { ...line, example: 'Sangamon County' }) province?: string | null;
  @Text('the state', { ...line, example: 'IL' }) state?: string | null;
  @Text('the postal code', { ...short, example: '62701' }) zip?: string | null;
  @Text('the telephone number', { ...short, example: '+1 555 0100' }) phone?: string | null;
  @Text('the state or province; unset: derived from the two', { ...line, example: 'IL' }) stateprovince?: string | null;
  @WebAddress('the URL of the venue website', { default: null }) website?: string | null;
  @ImageField({ default: null }) image?: ImageReference | null;
  @SlugField() slug?: string | null;
  @Double('the latitude; geo_lng must be set, too', { min: -90, max: 90, example: 39.8 }) geo_lat?: number | null;
  @Double('the longitude; geo_lat must be set, too', { min: -180, max: 180, example: -89.65 }) geo_lng?: number | null;
}

/** Example bodies for the OpenAPI document. Clients can send them unchanged. */
export const VENUE_EXAMPLES: Record<'create' | 'update', Record<string, BodyExample>> = {
  create: {
    full: {
      summary: 'with what there is to say',
      value: {
        venue: 'Grand Hall',
        description: 'Big hall',
        address: '1 Main St',
        city: 'Springfield',
        country: 'United States',
        state: 'IL',
        zip: '62701',
        phone: '+1 555 0100',
        website: 'https://hall.example.org',
        geo_lat: 39.8,
        geo_lng: -89.65,
      },
    },
    short: { summary: 'as little as possible', value: { venue: 'Town Hall' } },
  },
  update: { change: { summary: 'what changes; the rest stays', value: { phone: '+1 555 0102', website: null } } },
};
