import type { SchemaObject } from '@nestjs/swagger';
import { ApiProperty, ApiSchema } from '../platform/http/api-decorators.js';

const TEXT: SchemaObject = { type: 'string' };
const METHODS: SchemaObject = { type: 'array', items: TEXT };
const LINK: SchemaObject = { type: 'object', properties: { href: TEXT }, required: ['href'] };

const ARGUMENT: SchemaObject = {
  type: 'object',
  properties: {
    description: TEXT,
    type: { description: 'the type; none where several are accepted', type: 'string' },
    default: {},
    required: { type: 'boolean' },
    items: { type: 'object', properties: { type: TEXT }, required: ['type'] },
  },
  required: ['required'],
};

const ROUTE: SchemaObject = {
  type: 'object',
  properties: {
    namespace: TEXT,
    methods: METHODS,
    endpoints: {
      description: 'the parameters, by groups of methods',
      type: 'array',
      items: {
        type: 'object',
        properties: { methods: METHODS, args: { type: 'object', additionalProperties: ARGUMENT } },
        required: ['methods', 'args'],
      },
    },
    _links: { type: 'object', properties: { self: { type: 'array', items: LINK } }, required: ['self'] },
  },
  required: ['namespace', 'methods', 'endpoints'],
};

/** The index of the service (contract 13.4). */
@ApiSchema({ name: 'Index' })
export class IndexResponse {
  @ApiProperty({ description: 'the namespace of the mount', type: String, example: 'calendar/events/v1' })
  namespace: string;
  @ApiProperty({ description: 'the routes, by their patterns', type: 'object', additionalProperties: ROUTE })
  routes: object;
  @ApiProperty({
    description: 'the address above',
    type: 'object',
    properties: { up: { type: 'array', items: LINK } },
    required: ['up'],
  })
  _links: object;
}
