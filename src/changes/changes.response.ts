import { EventResponse } from '../events/event.response.js';
import { OrganizerResponse } from '../organizers/organizer.response.js';
import { ApiProperty, ApiPropertyOptional, ApiSchema, getSchemaPath } from '../platform/http/api-decorators.js';
import { TermResponse } from '../terms/term.response.js';
import { VenueResponse } from '../venues/venue.response.js';
import { CHANGE_TYPES, type ChangeType } from '../database/cache/change-types.js';

const RECORDS = [EventResponse, VenueResponse, OrganizerResponse, TermResponse];
const ROOT = 'https://example.com/calendar/events/v1/changes/';
const TOKEN = '1.9f3c0a7e.th1gxw.6ox-7dp..0c4f6a2b9d13.5e8a0f71';

/** A changed record (changes section 1). */
@ApiSchema({ name: 'Change' })
export class ChangeResponse {
  @ApiProperty({ description: 'the type of the record', type: String, enum: [...CHANGE_TYPES], example: 'event' })
  type: ChangeType;
  @ApiProperty({ description: 'the id, unique among the records of the type', type: 'integer', example: 12 })
  id: number;
  @ApiProperty({
    description: 'whether the list with these filters does not show the record (any more): remove it from the copy',
    type: Boolean,
    example: false,
  })
  deleted: boolean;
  @ApiProperty({
    description: 'when the record changed last, in UTC, YYYY-MM-DD HH:MM:SS',
    type: String,
    example: '2026-11-20 09:30:00',
  })
  changed_utc: string;
  @ApiPropertyOptional({
    description: 'the record as its list shows it; none if it is deleted',
    anyOf: RECORDS.map((type) => ({ $ref: getSchemaPath(type) })),
  })
  record?: object;
}

/** The changes behind a token (changes section 1). */
@ApiSchema({ name: 'ChangePage' })
export class ChangePageResponse {
  @ApiProperty({ description: 'the changes, in the order of their commits', type: [ChangeResponse] })
  changes: ChangeResponse[];
  @ApiProperty({ description: 'the address of this answer', type: String, example: `${ROOT}?per_page=100` })
  rest_url: string;
  @ApiPropertyOptional({
    description: 'the address of the next answer, if there are more changes already',
    type: String,
    example: `${ROOT}?per_page=100&since=${TOKEN}`,
  })
  next_rest_url?: string;
  @ApiProperty({ description: 'since of the next request', type: String, example: TOKEN }) next_since: string;
  @ApiProperty({ description: 'whether there are more changes already', type: Boolean, example: true })
  has_more: boolean;
}
