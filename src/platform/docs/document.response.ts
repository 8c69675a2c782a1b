import { ApiProperty, ApiSchema } from './api-decorators.js';

const ANYTHING = { type: 'object', additionalProperties: true } as const;

/** The OpenAPI document, which another standard describes (contract 13.5). */
@ApiSchema({ name: 'Document' })
export class DocumentResponse {
  @ApiProperty({ description: 'the version of OpenAPI', type: String, example: '3.0.0' }) openapi: string;
  @ApiProperty({ description: 'the name and version of the service', ...ANYTHING }) info: object;
  @ApiProperty({ description: 'schemas and security schemes', ...ANYTHING }) components: object;
  @ApiProperty({ description: 'the address of the interface', type: 'array', items: ANYTHING }) servers: object[];
  @ApiProperty({ description: 'the operations, by path and method', ...ANYTHING }) paths: object;
}
