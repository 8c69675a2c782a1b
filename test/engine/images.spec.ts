import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Database } from '../../src/database/database.js';
import { ANONYMOUS, type Caller, callerWith } from '../../src/kernel/caller.js';
import { Problems } from '../../src/errors/problems.js';
import { INTERNET } from '../../src/platform/outbound/network.js';
import { IMAGE_COLUMNS, type ImageColumns, joinImage } from '../../src/platform/images/image.columns.js';
import { presentImage } from '../../src/platform/images/image.presenter.js';
import type { ImageReference } from '../../src/platform/images/image.reference.js';
import { ImagesService } from '../../src/platform/images/images.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { sizesOf } from '../support/image.js';

const AUTHOR = callerWith(1, 'author');
const CONTRIBUTOR = callerWith(2, 'contributor');
const NOW_UTC = '2026-11-20 08:39:00';
const GIF = Buffer.from('R0lGODlhQAHIAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=', 'base64');

describe('images', () => {
  let test: TestApp;
  let database: Database;
  let images: ImagesService;

  async function start(settings: Record<string, string> = {}) {
    test = await startApp(settings);
    database = test.app.get(Database);
    images = test.app.get(ImagesService);
  }

  const store = async (
    reference: ImageReference | null,
    measures?: { width?: number; height?: number; filesize?: number },
  ) => (await database.inTransaction((tx) => images.store(tx, [{ reference, measures }], NOW_UTC)))[0] ?? null;

  async function present(id: number | null) {
    const [row] = await database.query<ImageColumns>(
      `SELECT p.image_id, ${IMAGE_COLUMNS.join(', ')} FROM (SELECT ? AS image_id) p ${joinImage('p')}`,
      [id],
    );
    return row && presentImage(row);
  }

  /** The problems of an image, `code: text`. */
  async function problemsOf(work: (problems: Problems) => Promise<unknown>) {
    const problems = new Problems([]);
    await work(problems);
    return problems.list().map(({ code, text }) => `${code}: ${text}`);
  }

  const check = (reference: ImageReference | null | undefined, caller: Caller) =>
    problemsOf((problems) => images.check(database, reference, caller, problems, 'image'));

  describe('without IMAGE_PROBE', () => {
    beforeAll(() => start());
    afterAll(() => test.close());

    it('EV-NEW-06: a URL is stored once and its record reused', async () => {
      const url = 'https://x.example/hall.JPG';
      const id = await store({ url });
      expect(await store({ url })).toBe(id);
      expect(await store({ id: id as number })).toBe(id);
      expect(await store({ url: `${url}?2` })).not.toBe(id);
      expect(await present(id)).toEqual({
        url,
        id,
        extension: 'jpg',
        sizes: sizesOf(url, { 'mime-type': 'image/jpeg' }),
      });
    });

    it('EV-NEW-06: concurrent transactions with one URL store one record', async () => {
      const url = `https://x.example/${'ü🎷'.repeat(900)}`;
      const ids = await Promise.all(Array.from({ length: 8 }, () => store({ url })));
      expect(new Set(ids).size).toBe(1);
      expect(await present(ids[0] ?? null)).toEqual({ url, id: ids[0], extension: '', sizes: sizesOf(url) });
    });

    it('EV-NEW-06: stores nothing for "none" and null', async () => {
      expect(await store('none')).toBeNull();
      expect(await store(null)).toBeNull();
    });

    it('section 8: presents stored measures in order and omits unknown ones', async () => {
      const url = 'https://x.example/a.png';
      const id = await store({ url }, { width: 4, height: 3, filesize: 4_294_967_295 });
      const sizes = JSON.stringify(sizesOf(url, { width: 4, height: 3, 'mime-type': 'image/png' }));
      const text = `{"url":"${url}","id":${id},"extension":"png","width":4,"height":3,"filesize":4294967295,"sizes":${sizes}}`;
      expect(JSON.stringify(await present(id))).toBe(text);
      const other = await store({ url: 'https://x.example/b.png' }, { filesize: 5 });
      expect(await present(other)).toEqual({
        url: 'https://x.example/b.png',
        id: other,
        extension: 'png',
        filesize: 5,
        sizes: sizesOf('https://x.example/b.png', { 'mime-type': 'image/png' }),
      });
    });

    it('EV-NEW-06: rejects an unknown id', async () => {
      const id = (await store({ url: 'https://x.example/known' })) as number;
      expect(await check({ id }, CONTRIBUTOR)).toEqual([]);
      for (const unknown of [id + 1000, 0, -1, Number.MAX_SAFE_INTEGER]) {
        const text = `rest_unknown_reference: image refers to something that does not exist: ${unknown}.`;
        expect(await check({ id: unknown }, AUTHOR)).toEqual([text]);
      }
    });

    it('AUTH-12: a URL needs the right to add images, even if it is already stored', async () => {
      const url = 'https://x.example/stored';
      await store({ url });
      const refused = ['rest_not_allowed: image has a value you are not allowed to use.'];
      for (const caller of [CONTRIBUTOR, ANONYMOUS]) {
        expect(await check({ url }, caller)).toEqual(refused);
        expect(await check({ url: `${url}/not` }, caller)).toEqual(refused);
      }
      expect(await check({ url: `${url}/not` }, AUTHOR)).toEqual([]);
    });

    it.each([undefined, null, 'none' as const])('accepts %j', async (reference) => {
      expect(await check(reference, ANONYMOUS)).toEqual([]);
    });

    it('fetches no URL', async () => {
      images.network = { resolve: () => Promise.reject(new Error('asked')), permits: () => false };
      const work = (problems: Problems) => images.probe({ url: 'http://images.example/' }, AUTHOR, problems, 'image');
      expect(await problemsOf(work)).toEqual([]);
    });
  });

  describe('with IMAGE_PROBE', () => {
    let server: Server;
    let origin: string;
    let requests = 0;

    beforeAll(async () => {
      await start({ IMAGE_PROBE: 'on' });
      server = createServer((request, response) => {
        requests += 1;
        response.setHeader('Content-Type', request.url === '/page' ? 'text/html' : 'image/gif').end(GIF);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      origin = `http://images.example:${(server.address() as AddressInfo).port}`;
    });
    beforeEach(() => {
      images.network = { resolve: () => Promise.resolve(['127.0.0.1']), permits: () => true };
    });
    afterAll(async () => {
      await test.close();
      await new Promise((resolve) => server.close(resolve));
    });

    async function probe(reference: ImageReference | null | undefined, caller = AUTHOR) {
      let measures: unknown;
      const problems = await problemsOf(async (found) => {
        measures = await images.probe(reference, caller, found, 'image');
      });
      return { measures, problems };
    }

    it('fetches a URL only until it is stored', async () => {
      const reference = { url: `${origin}/a.gif` };
      const measures = { width: 320, height: 200, filesize: GIF.length };
      expect(await probe(reference)).toEqual({ measures, problems: [] });
      expect(await present(await store(reference, measures))).toMatchObject({ extension: 'gif', ...measures });
      const before = requests;
      expect(await probe(reference)).toEqual({ measures: undefined, problems: [] });
      expect(requests).toBe(before);
    });

    it('EV-NEW-07: rejects a URL whose response is not an image', async () => {
      const problems = ['rest_invalid_image: image is not a valid image.'];
      expect(await probe({ url: `${origin}/page` })).toEqual({ measures: undefined, problems });
    });

    it('fetches nothing for an id, for no image, or for callers without the right to add images', async () => {
      const before = requests;
      const nothing = { measures: undefined, problems: [] };
      for (const reference of [{ id: 1 }, 'none' as const, null, undefined]) {
        expect(await probe(reference)).toEqual(nothing);
      }
      expect(await probe({ url: `${origin}/b.gif` }, CONTRIBUTOR)).toEqual(nothing);
      expect(requests).toBe(before);
    });

    it('EV-NEW-07: rejects a loopback address without fetching it', async () => {
      images.network = INTERNET;
      const before = requests;
      const problems = ['rest_invalid_image: image is not a valid image.'];
      expect(await probe({ url: origin.replace('images.example', '127.1') })).toEqual({
        measures: undefined,
        problems,
      });
      expect(requests).toBe(before);
    });
  });
});
