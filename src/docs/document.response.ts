import { ApiProperty, ApiPropertyOptional, ApiSchema } from '../platform/http/api-decorators.js';

const TEXT = { type: 'string' } as const;

/** The body of every error response (contract section 6). */
@ApiSchema({ name: 'Error' })
export class ErrorResponse {
  @ApiProperty({ description: 'what went wrong, for programs', type: String, example: 'rest_invalid_param' })
  code: string;
  @ApiProperty({ description: 'what went wrong, for people', type: String }) message: string;
  @ApiProperty({
    description: 'the HTTP status, and what the code needs to be acted on',
    type: 'object',
    properties: {
      status: { type: 'integer', example: 400 },
      params: {
        description: 'the names of the missing parameters, or the texts about the invalid ones by name',
        oneOf: [
          { type: 'array', items: TEXT },
          { type: 'object', additionalProperties: TEXT },
        ],
      },
      details: {
        description: 'what is wrong with each parameter, by name',
        type: 'object',
        additionalProperties: {
          type: 'object',
          properties: { code: TEXT, message: TEXT, data: { type: 'object', nullable: true } },
          required: ['code', 'message', 'data'],
        },
      },
      json_error_code: {
        description: 'why the body is no JSON object: 1 depth, 4 syntax, 5 encoding, 6 no object',
        type: 'integer',
        enum: [1, 4, 5, 6],
      },
      json_error_message: { description: 'the same in words', type: 'string' },
      term_id: { description: 'the id of the term that is there already', type: 'integer' },
      reason: {
        description:
          'why a token of the changes has expired: age; the database was restored; other filters, types or rights (different)',
        type: 'string',
        enum: ['age', 'restored', 'different'],
      },
    },
    required: ['status'],
    selfRequired: true,
  })
  data: { status: number };
  @ApiPropertyOptional({ description: 'the same id once more, in a list', type: [Number] }) additional_data?: number[];
}

const ANYTHING = { type: 'object', additionalProperties: true } as const;

/** The OpenAPI document (contract 13.5). */
@ApiSchema({ name: 'Document' })
export class DocumentResponse {
  @ApiProperty({ description: 'the version of OpenAPI', type: String, example: '3.0.0' }) openapi: string;
  @ApiProperty({ description: 'the name and version of the service', ...ANYTHING }) info: object;
  @ApiProperty({ description: 'schemas and security schemes', ...ANYTHING }) components: object;
  @ApiProperty({ description: 'the address of the interface', type: 'array', items: ANYTHING }) servers: object[];
  @ApiProperty({ description: 'the operations, by path and method', ...ANYTHING }) paths: object;
}
