import { ApiProperty, ApiPropertyOptional, ApiSchema } from '../platform/http/api-decorators.js';

const ROOT = 'https://example.com/calendar/events/v1';

@ApiSchema({ name: 'TermUrls', description: 'The addresses of a term in this interface' })
export class TermUrlsResponse {
  @ApiProperty({ description: 'the term', example: `${ROOT}/categories/6` }) self: string;
  @ApiProperty({ description: 'all terms of its kind', example: `${ROOT}/categories` }) collection: string;
  @ApiPropertyOptional({ description: 'its parent, if it has one', example: `${ROOT}/categories/5` }) up?: string;
}

/** The response form of a category or a tag (contract 13.1). */
@ApiSchema({ name: 'Term', description: 'A category or a tag' })
export class TermResponse {
  @ApiProperty({ description: 'the id, unique among categories and tags', type: 'integer', example: 6 }) id: number;
  @ApiProperty({ description: 'published events that carry the term itself', type: 'integer', example: 2 })
  count: number;
  @ApiProperty({ description: 'the description, plain text', example: 'Trios' }) description: string;
  @ApiProperty({ description: 'the name, plain text', example: 'Jazz' }) name: string;
  @ApiProperty({ description: 'the last part of the human address', example: 'jazz' }) slug: string;
  @ApiProperty({ description: 'tribe_events_cat for categories, post_tag for tags', example: 'tribe_events_cat' })
  taxonomy: string;
  @ApiProperty({ description: 'the id of the parent category; 0: none', type: 'integer', example: 5 }) parent: number;
  @ApiProperty({ description: 'always empty', type: 'array', items: {}, maxItems: 0, example: [] }) meta: never[];
  @ApiProperty({ description: 'the human page', example: 'https://example.com/events/category/jazz/' }) url: string;
  @ApiProperty({ description: 'addresses in this interface', type: () => TermUrlsResponse }) urls: TermUrlsResponse;
  @ApiProperty({ description: 'always 0', type: 'integer', example: 0 }) term_group: number;
  @ApiProperty({ description: 'the same as the id', type: 'integer', example: 6 }) term_taxonomy_id: number;
  @ApiProperty({ description: 'always raw', example: 'raw' }) filter: string;
}
