import type { OpenAPIObject } from '@nestjs/swagger';
import type { DefaultContext, ComputedDefault } from '../platform/http/fields/field-metadata.js';
import { Int, WireDate } from '../platform/http/fields/value-fields.js';
import type { Route } from '../platform/http/operation.js';
import { withComputedDefaults } from './api-documents.js';

const today: ComputedDefault = ({ nowUtc }) => nowUtc;

class ListParams {
  @Int('page', { default: 1 }) page?: number;
  @WireDate('day', { default: today }) start_date?: string;
}

const ROUTES = [
  { path: '/events', operations: [{ kind: 'list', id: 'listEvents', summary: '', accepts: ListParams }], methods: [] },
  { path: '/doc', operations: [{ kind: 'describe', id: 'doc', summary: '' }], methods: [] },
] as Route[];
const PATHS = {
  '/events': { get: { parameters: [{ name: 'page' }, { name: 'start_date', schema: {} }] } },
  '/doc': { get: {} },
} as unknown as OpenAPIObject['paths'];

describe('withComputedDefaults', () => {
  it('fills in computed defaults without changing the given document', () => {
    const before = JSON.stringify(PATHS);
    const filled = withComputedDefaults(PATHS, ROUTES, { nowUtc: '2026-11-20 08:39:00' } as DefaultContext);
    expect(filled['/events']?.get?.parameters).toEqual([
      { name: 'page' },
      { name: 'start_date', schema: { default: '2026-11-20 08:39:00' } },
    ]);
    expect(filled['/doc']).toBe(PATHS['/doc']);
    expect(JSON.stringify(PATHS)).toBe(before);
  });
});
