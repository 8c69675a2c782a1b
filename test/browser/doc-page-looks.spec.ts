import type { Browser } from 'playwright-core';
import { startApp, type TestApp } from '../support/app.js';
import { DocPage, startBrowser } from '../support/browser.js';

let service: TestApp;
let browser: Browser;
beforeAll(async () => {
  service = await startApp();
  browser = await startBrowser();
}, 60_000);
afterAll(async () => {
  await browser.close();
  await service.close();
});

const open = (prefix: string, options: { width: number }) =>
  DocPage.open(browser, `http://127.0.0.1:${service.client.port}${prefix}/calendar/events/v1/doc`, options);

test('DOC-07: a form is cut off nowhere in a narrow window, and its fields cannot be taken away', async () => {
  const doc = await open('/de', { width: 390 });
  const create = await doc.operation('createEvent');
  await create.locator('.body-param-content-type select').selectOption('application/x-www-form-urlencoded');
  const title = create.locator('[data-property-name="title"] input[type="text"]');
  await title.waitFor();
  await doc.screenshot('de-9-form');
  expect(await create.locator('.cancel').isVisible()).toBe(false);
  expect(await doc.cut()).toEqual([]);
  // The name of a field stands above it, so that there is room to write.
  expect((await title.boundingBox())?.width).toBeGreaterThan(200);
  await doc.page.close();
}, 60_000);

test('DOC-07: texts about an operation have one size, and its fields one height', async () => {
  const doc = await open('', { width: 1440 });
  const list = await doc.operation('listEvents');
  const texts = list.locator('.opblock-description p, .parameters-col_description .renderedMarkdown p');
  const sizes = await texts.evaluateAll((all) =>
    all.map((text) => text.computedStyleMap().get('font-size')?.toString()),
  );
  expect(new Set(sizes)).toEqual(new Set(['14px']));
  const fields = list.locator('.parameters-col_description input[type="text"]');
  const heights = await fields.evaluateAll((all) => all.map((field) => field.getBoundingClientRect().height));
  expect(heights.length).toBeGreaterThan(5);
  expect(new Set(heights).size).toBe(1);
  await doc.page.close();
}, 60_000);
