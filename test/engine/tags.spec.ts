import { TAG } from '../../src/tags/tag.kind.js';
import { startApp, type TestApp } from '../support/app.js';
import { describeTermLinks } from '../shared/term-links.cases.js';
import { describeTerms } from '../shared/term.cases.js';

describeTerms({
  kind: TAG,
  other: 'categories',
  mayWrite: ['edi', 'adm'],
  mayNotWrite: ['sub', 'con', 'aut'],
  namesAreUnique: 'in this taxonomy',
});

describeTermLinks(TAG, 'editor', 'author');

describe('tags have no parents', () => {
  let service: TestApp;

  beforeEach(async () => {
    service = await startApp();
  });

  afterEach(() => service.close());

  test('TERM-07, TERM-16: a parent is ignored, in lists and in writes', async () => {
    const { client, tokens } = service;
    const { status, body } = await client.post('/tags', { name: 'A', parent: 2389 }, tokens.adm);
    expect(status).toBe(201);
    expect(body.parent).toBe(0);
    expect(body.urls).not.toHaveProperty('up');
    const updated = await client.put(`/tags/${body.id}`, { parent: 'foo' }, tokens.adm);
    expect(updated.body).toEqual(body);
    expect((await client.get('/tags?hide_empty=false&parent=2389')).body.total).toBe(1);
  });
});
