import { ApiProperty, ApiPropertyOptional, ApiSchema } from '../platform/http/api-decorators.js';
import { type LinkedData, LinkedText, LinkedType, OptionalLinkedText } from '../posts/json-ld.response.js';
import { ImageResponse } from '../platform/images/image.response.js';

const Text = (description: string, example: string) => ApiProperty({ description, type: String, example });
const OptionalText = (description: string, example: string) =>
  ApiPropertyOptional({ description, type: String, example });
const Time = (description: string) => Text(`${description}, YYYY-MM-DD HH:MM:SS`, '2026-11-20 09:30:00');
const Flag = (description: string) => ApiProperty({ description, type: Boolean, example: true });
const Degrees = (description: string, example: number) => ApiPropertyOptional({ description, type: Number, example });

class PostalAddressLinkedData implements LinkedData {
  @LinkedType('PostalAddress') '@type': string;
  @OptionalLinkedText() streetAddress?: string;
  @OptionalLinkedText() addressLocality?: string;
  @OptionalLinkedText() addressRegion?: string;
  @OptionalLinkedText() postalCode?: string;
  @OptionalLinkedText() addressCountry?: string;
}

class GeoCoordinatesLinkedData implements LinkedData {
  @LinkedType('GeoCoordinates') '@type': string;
  @ApiProperty({ type: Number }) latitude: number;
  @ApiProperty({ type: Number }) longitude: number;
}

/** The schema.org description of a venue (contract section 8). */
export class VenueLinkedData implements LinkedData {
  @LinkedType('Place') '@type': string;
  @LinkedText() name: string;
  @LinkedText() description: string;
  @OptionalLinkedText() image?: string;
  @LinkedText() url: string;
  @ApiProperty({ type: PostalAddressLinkedData }) address: PostalAddressLinkedData;
  @ApiPropertyOptional({ type: GeoCoordinatesLinkedData }) geo?: GeoCoordinatesLinkedData;
  @LinkedText() telephone: string;
  @LinkedText() sameAs: string;
}

/** A venue in a response, without empty members (contract 11.2). */
@ApiSchema({ name: 'Venue' })
export class VenueResponse {
  @ApiProperty({ description: 'the id', type: 'integer', example: 13 }) id: number;
  @Text('the id of the author, as text', '1') author: string;
  @Text('the post status', 'publish') status: string;
  @Time('the publication date in the time zone of the site') date: string;
  @Time('the publication date in UTC') date_utc: string;
  @Time('the last change in the time zone of the site') modified: string;
  @Time('the last change in UTC') modified_utc: string;
  @Text('the human page', 'https://example.com/venue/grand-hall/') url: string;
  @Text('the name, plain text', 'Grand Hall') venue: string;
  @OptionalText('the description, HTML', '<p>Big hall</p>') description?: string;
  @Text('the last part of the human address', 'grand-hall') slug: string;
  @ApiPropertyOptional({ description: 'the featured image', type: ImageResponse }) image?: ImageResponse;
  @OptionalText('the address', '1 Main St') address?: string;
  @OptionalText('the city', 'Springfield') city?: string;
  @OptionalText('the country', 'United States') country?: string;
  @OptionalText('the region or canton', 'Region') province?: string;
  @OptionalText('the state', 'IL') state?: string;
  @OptionalText('the postal code', '62701') zip?: string;
  @OptionalText('the telephone number', '+1 555 0100') phone?: string;
  @OptionalText('the URL of the venue website', 'https://hall.example.org') website?: string;
  @OptionalText('the state or province, whichever the country uses', 'IL') stateprovince?: string;
  @Degrees('the latitude', 39.8) geo_lat?: number;
  @Degrees('the longitude', -89.65) geo_lng?: number;
  @ApiPropertyOptional({
    description: 'the schema.org description; only when one record is read',
    type: VenueLinkedData,
  })
  json_ld?: VenueLinkedData;
  @Flag('whether events at the venue show a map') show_map: boolean;
  @Flag('whether events at the venue show a link to a map') show_map_link: boolean;
  @Text('an id that is unique over sites', 'example.com/venue?id=13') global_id: string;
  @ApiProperty({ description: 'the global ids of the venue', type: [String], example: ['example.com/venue?id=13'] })
  global_id_lineage: string[];
}
