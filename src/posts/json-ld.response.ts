import { ApiProperty, ApiPropertyOptional } from '../platform/http/api-decorators.js';

/** A `json_ld` object. schema.org defines its members (contract section 8). */
export interface LinkedData {
  '@type': string;
}

export const LinkedType = (name: string) => ApiProperty({ type: String, enum: [name] });
export const LinkedText = () => ApiProperty({ type: String });
export const OptionalLinkedText = () => ApiPropertyOptional({ type: String });
