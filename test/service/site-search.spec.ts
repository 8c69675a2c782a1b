import { startApp, type TestApp } from '../support/app.js';
import { category, event, tag } from '../support/factories.js';
import { addressesOf, textOf, titlesOf, visit } from '../support/site.js';

let service: TestApp;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());
const see = (path: string) => visit(service.client, path);
const write = (title: string, fields: object = {}, day = '2026-12-03') =>
  event(service.client, service.tokens.edi, {
    title,
    start_date: `${day} 10:00`,
    end_date: `${day} 11:00`,
    ...fields,
  });

test('PAGE-29: a category has the events of its children; a tag its own; slugs of any script and case lead there', async () => {
  const { client, tokens } = service;
  const parent = await category(client, tokens.adm, { name: 'Musik', slug: 'musik', description: 'Loud and quiet.' });
  await category(client, tokens.adm, { name: 'Jazz', slug: 'jazz', parent: parent.id });
  const tokyo = await tag(client, tokens.adm, { name: '東京', slug: '東京' });
  await tag(client, tokens.adm, { name: 'Unused' });
  await category(client, tokens.adm, { name: 'Джаз', slug: 'джаз' });
  await write('Of the parent', { categories: ['Musik'] });
  await write('Of the child', { categories: ['Jazz'], tags: ['東京'] }, '2026-12-04');
  await write('Of neither');
  await write('Over', { tags: ['東京'] }, '2026-11-02');
  const music = await see('/events/category/musik/');
  expect(titlesOf(music)).toEqual(['Of the parent', 'Of the child']);
  expect(textOf(music)).toContain('Loud and quiet.');
  expect(titlesOf(await see('/events/category/jazz/'))).toEqual(['Of the child']);
  expect(tokyo.slug).toBe('東京');
  const path = `/tag/${encodeURIComponent('東京')}/`;
  for (const address of [path, path.toLowerCase()]) {
    const page = await see(address);
    expect([address, page.status, titlesOf(page)]).toEqual([address, 200, ['Of the child']]);
    expect(page.text).toContain('<h1>東京</h1>');
    expect(addressesOf(page)).toContain(`${path}past/`);
  }
  expect(titlesOf(await see(`${path}past/`))).toEqual(['Over']);
  expect(titlesOf(await see(`/events/month/2026-12/?tag=${encodeURIComponent('東京')}`))).toEqual(['Of the child']);
  for (const address of ['/events/category/MUSIK/', '/tag/UNUSED/', `/events/category/${encodeURIComponent('ДЖАЗ')}/`])
    expect([address, (await see(address)).status]).toEqual([address, 200]);
  const unused = await see('/tag/unused/');
  expect([unused.status, textOf(unused)]).toEqual([200, expect.stringContaining('No upcoming events here.')]);
  for (const address of ['/tag/nothing/', '/events/category/nothing/', '/tag/nothing/past/', '/tag/%E6%9D%B1/'])
    expect([address, (await see(address)).status]).toEqual([address, 404]);
});

test('PAGE-30: words, phrases and excluded words are those of the API; all of them stay text', async () => {
  await write('Cool jazz', { description: 'In the blue room.' }, '2026-12-05');
  await write('Jazz and room', { description: 'Blue.' }, '2026-12-06');
  await write('Old jazz', {}, '2025-12-06');
  const words = Array.from({ length: 21 }, (_, index) => `word${index}`).join(' ');
  await write('Many', { description: `Before ${words} after` }, '2026-12-07');
  const found = async (q: string, more = '') => {
    const page = await see(`/search/?q=${encodeURIComponent(q)}${more}`);
    expect([q, page.status, page.text]).toEqual([q, 200, expect.stringContaining('noindex')]);
    return titlesOf(page);
  };
  expect(await found('jazz')).toEqual(['Cool jazz', 'Jazz and room']);
  expect(await found('JÀZZ blue')).toEqual(['Cool jazz', 'Jazz and room']);
  expect(await found('"blue room"')).toEqual(['Cool jazz']);
  expect(await found('jazz -cool')).toEqual(['Jazz and room']);
  expect(await found(words)).toEqual(['Many']);
  expect(await found(words.replace('word3 word4', 'word4 word3'))).toEqual([]);
  expect(await found('jazz', '&past=1')).toEqual(['Jazz and room', 'Cool jazz', 'Old jazz']);
  expect(await found('jazz', '&past=2')).toHaveLength(2);
  expect(await found('nowhere')).toEqual([]);
  const page = await see(`/search/?q=${encodeURIComponent('"blue room" <b>&')}`);
  expect(page.text).toContain('value="&quot;blue room&quot; &lt;b>&amp;"');
  expect(page.text).toContain('“&quot;blue room&quot; &lt;b>&amp;”');
  for (const q of ['', '%20']) {
    const form = await see(`/search/?q=${q}`);
    expect([q, form.status, titlesOf(form)]).toEqual([q, 200, []]);
    expect(textOf(form)).toContain('Which events are you looking for?');
  }
  for (const q of ['-jazz', '""', 'x'.repeat(501)]) {
    const wrong = await see(`/search/?q=${encodeURIComponent(q)}`);
    expect([q, wrong.status, wrong.text]).toEqual([q, 400, expect.stringContaining('the words of the search')]);
  }
  const links = addressesOf(await see('/search/?q=a%26b&utm_source=x'));
  expect(links).toContain('/search/?q=a%26b&past=1');
  expect(links.filter((href) => href.includes('utm'))).toEqual([]);
});
