import { NEVER } from './event-facts.js';
import { factsInText, factsInTexts, type Texts } from './facts-text.js';

const texts = (...all: string[]): Texts => ({ text: all.join(','), count: all.length });
const times = '2027-03-10 10:00:00|2027-03-10 12:00:00';
const events = texts(
  `7|${times}|2026-11-01 00:00:00|publish|-|0|1|0|1|3|0;`,
  `4294967295|${times}|-|trash|draft|1|0|1|0|1|7;`,
);
const links = [texts('7|11;', '7|12;', '9|12;'), texts('7|5;'), texts()];

const [first, second] = [
  {
    id: 7,
    start: 1_804_672_800,
    end: 1_804_680_000,
    publicFrom: 1_793_491_200,
    status: 'publish',
    trashedFrom: null,
    isHidden: false,
    isFeatured: true,
    isTicketed: false,
    isProtected: true,
    authorId: 3,
    parentId: 0,
    termIds: [11, 12],
    linkedIds: { venue: [5], organizer: [] },
  },
  {
    id: 4_294_967_295,
    start: 1_804_672_800,
    end: 1_804_680_000,
    publicFrom: NEVER,
    status: 'trash',
    trashedFrom: 'draft',
    isHidden: true,
    isFeatured: false,
    isTicketed: true,
    isProtected: false,
    authorId: 1,
    parentId: 7,
    termIds: [],
    linkedIds: { venue: [], organizer: [] },
  },
];

test('facts are taken from texts, with the links of each event', () => {
  expect(factsInTexts(events, links)).toEqual([first, second]);
  expect(factsInTexts(texts(), [texts('7|11;'), texts(), texts()])).toEqual([]);
});

test('facts are taken from one text', () => {
  const linked = (text: string) => text.slice(0, -1);
  expect(factsInText(`${linked(events.text.split(',')[0]!)}|11,12|5|-|`)).toEqual(first);
  expect(factsInText(`${linked(events.text.split(',')[1]!)}|-|-|-|`)).toEqual(second);
});

test('texts that the database has cut anywhere give no facts', () => {
  const cut = ({ text, count }: Texts, length: number): Texts => ({ text: text.slice(0, length), count });
  for (let length = 0; length < events.text.length; length += 1)
    expect(factsInTexts(cut(events, length), links)).toBeUndefined();
  for (const [place, some] of links.entries()) {
    for (let length = 0; length < some.text.length; length += 1)
      expect(factsInTexts(events, links.with(place, cut(some, length)))).toBeUndefined();
  }
});
