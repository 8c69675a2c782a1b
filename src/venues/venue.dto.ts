import type { LinkedPostDto } from '../linked-posts/linked-post.dto.js';
import type { PostStatus } from '../kernel/post-status.js';
import { Double, Flag } from '../platform/http/fields.js';
import { Html, Text, WebAddress } from '../platform/http/text-fields.js';
import type { ImageReference } from '../platform/images/image.reference.js';
import { AuthorField, DateField, DateUtcField, ImageField, PostStatusField, SlugField } from '../posts/post.dto.js';

const short = { max: 100, default: null } as const;
const line = { max: 500, default: null } as const;
/** The interface declares text; every form of a boolean is accepted (contract VO-14). */
const flag = { type: 'string', default: null } as const;

/** The fields of a venue as they are written (contract 11.3); null clears. */
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
