import { ApiProperty, ApiPropertyOptional, ApiSchema } from '../platform/http/api-decorators.js';
import { type LinkedData, LinkedText, LinkedType, OptionalLinkedText } from '../posts/json-ld.response.js';
import { ImageResponse } from '../platform/images/image.response.js';

const Text = (description: string, example: string) => ApiProperty({ description, type: String, example });
const OptionalText = (description: string, example: string) =>
  ApiPropertyOptional({ description, type: String, example });
const Time = (description: string) => Text(`${description}, YYYY-MM-DD HH:MM:SS`, '2026-11-01 08:00:00');

/** The schema.org description of an organizer (contract section 8). */
export class OrganizerLinkedData implements LinkedData {
  @LinkedType('Person') '@type': string;
  @LinkedText() name: string;
  @LinkedText() description: string;
  @OptionalLinkedText() image?: string;
  @LinkedText() url: string;
  @LinkedText() telephone: string;
  @LinkedText() email: string;
  @LinkedText() sameAs: string;
}

/** An organizer in a response, without empty members (contract section 12). */
@ApiSchema({ name: 'Organizer' })
export class OrganizerResponse {
  @ApiProperty({ description: 'the id', type: 'integer', example: 7 }) id: number;
  @Text('the id of the author, as text', '1') author: string;
  @Text('the post status', 'publish') status: string;
  @Time('the publication date in the time zone of the site') date: string;
  @Time('the publication date in UTC') date_utc: string;
  @Time('the last change in the time zone of the site') modified: string;
  @Time('the last change in UTC') modified_utc: string;
  @Text('the human page', 'https://example.com/organizer/bob/') url: string;
  @Text('the name, plain text', 'Bob') organizer: string;
  @OptionalText('the description, HTML', '<p>Runs things</p>') description?: string;
  @Text('the last part of the human address', 'bob') slug: string;
  @ApiPropertyOptional({ description: 'the featured image', type: ImageResponse }) image?: ImageResponse;
  @OptionalText('the telephone number', '+1 555 0101') phone?: string;
  @OptionalText('the URL of the organizer website', 'https://bob.example.org') website?: string;
  @OptionalText('the e-mail address', 'bob@example.com') email?: string;
  @ApiPropertyOptional({
    description: 'the schema.org description; only when one record is read',
    type: OrganizerLinkedData,
  })
  json_ld?: OrganizerLinkedData;
  @Text('an id that is unique over sites', 'example.com/organizer?id=7') global_id: string;
  @ApiProperty({
    description: 'the global ids of the organizer',
    type: [String],
    example: ['example.com/organizer?id=7'],
  })
  global_id_lineage: string[];
}
