import { ApiProperty, ApiSchema } from '@nestjs/swagger';

/** The body of every answer that is no success (contract section 6). */
@ApiSchema({ name: 'Error' })
export class ErrorResponse {
  @ApiProperty({ description: 'what went wrong, for programs', type: String, example: 'rest_invalid_param' })
  code: string;
  @ApiProperty({ description: 'what went wrong, for people', type: String }) message: string;
  @ApiProperty({
    description: 'the HTTP status, and what the code needs to be acted on',
    type: 'object',
    properties: { status: { type: 'integer', example: 400 } },
    required: ['status'],
    additionalProperties: true,
  })
  data: { status: number };
}
