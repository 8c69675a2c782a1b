import { ApiProperty, ApiPropertyOptional, ApiSchema } from '../platform/http/api-decorators.js';
import { type LinkedData, LinkedText, LinkedType, OptionalLinkedText } from '../posts/json-ld.response.js';
import { ImageResponse } from '../platform/images/image.response.js';

const Text = (description: string, example: string) => ApiProperty({ description, type: String, example });
const OptionalText = (description: string, example: string) =>
  ApiPropertyOptional({ description, type: String, example });
const Time = (description: string) => Text(`${description}, YYYY-MM-DD HH:MM:SS`, '2026-11-01 08:00:00');

/** The schema.org description of a speaker. */
export class SpeakerLinkedData implements LinkedData {
  @LinkedType('Person') '@type': string;
  @LinkedText() name: string;
  @LinkedText() description: string;
  @OptionalLinkedText() image?: string;
  @LinkedText() url: string;
  @LinkedText() sameAs: string;
}

/** A speaker in a response. Empty members are absent. */
@ApiSchema({ name: 'Speaker' })
export class SpeakerResponse {
  @ApiProperty({ description: 'the id', type: 'integer', example: 7 }) id: number;
  @Text('the id of the author, as text', '1') author: string;
  @Text('the post status', 'publish') status: string;
  @Time('the publication date in the time zone of the site') date: string;
  @Time('the publication date in UTC') date_utc: string;
  @Time('the last change in the time zone of the site') modified: string;
  @Time('the last change in UTC') modified_utc: string;
  @Text('the human page', 'https://example.com/speaker/bob/') url: string;
  @Text('the name, plain text', 'Bob') speaker: string;
  @OptionalText('the description, HTML', '<p>Runs things</p>') description?: string;
  @Text('the last part of the human address', 'bob') slug: string;
  @ApiPropertyOptional({ description: 'the featured image', type: ImageResponse }) image?: ImageResponse;
  @OptionalText('what the speaker talks about', 'Indexes') topic?: string;
  @OptionalText('the telephone number', '+1 555 0101') phone?: string;
  @OptionalText('the URL of the speaker website', 'https://bob.example.org') website?: string;
  @ApiPropertyOptional({
    description: 'the schema.org description; only when one record is read',
    type: SpeakerLinkedData,
    example: { '@type': 'Person', name: 'Bob' },
  })
  json_ld?: SpeakerLinkedData;
  @Text('an id that is unique over sites', 'example.com/speaker?id=7') global_id: string;
  @ApiProperty({ description: 'the global ids of the speaker', type: [String], example: ['example.com/speaker?id=7'] })
  global_id_lineage: string[];
}
