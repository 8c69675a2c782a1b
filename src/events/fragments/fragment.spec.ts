import { RecordCache } from '../../database/cache/record-cache.js';
import { filledText, type Fragment, isCurrent, partsOf, spanWithoutMoment } from './fragment.js';

const [BEFORE, NOW, AFTER] = ['2026-11-20 09:00:00', '2026-11-21 09:00:00', '2026-11-22 09:00:00'];

describe('the JSON in parts', () => {
  const body = { id: 7, title: 'A "b"', categories: [{ id: 1 }], left: undefined, tags: [], end: null };

  it('equals that of the object, if the holes are filled with what it has', () => {
    const parts = partsOf(body, { categories: { termIds: [1] }, tags: { termIds: [] } });
    expect(filledText(parts, (id) => JSON.stringify({ id }))).toBe(JSON.stringify(body));
    expect(filledText(parts, () => 'null')).toBe(JSON.stringify({ ...body, categories: [null] }));
  });

  it('needs no hole, and may begin with one', () => {
    expect(partsOf(body, {})).toEqual([JSON.stringify(body)]);
    const parts = partsOf({ tags: [1, 2], id: 7 }, { tags: { termIds: [1, 2] } });
    expect(filledText(parts, String)).toBe('{"tags":[1,2],"id":7}');
  });
});

describe('the span without a moment', () => {
  it('reaches from the last moment to the next one', () => {
    expect(spanWithoutMoment([BEFORE, null, AFTER, '2026-11-30 09:00:00'], NOW)).toEqual({
      from: BEFORE,
      until: AFTER,
    });
    expect(spanWithoutMoment([NOW], NOW).from).toBe(NOW);
  });

  it('has no end if nothing becomes public', () => {
    const { from, until } = spanWithoutMoment([null], NOW);
    expect(from < '0000-01-01 00:00:00' && until > '9999-12-31 23:59:59').toBe(true);
  });
});

describe('a fragment is current', () => {
  const records = new RecordCache(100, new Set(['venues']));
  const [place, gone] = [{ id: 1 }, 2];
  records.clear({ version: 1, epoch: '' });
  records.keep('venues', [place], 1);
  const fragment = (sources: Fragment['sources']) => ({ sources, from: BEFORE, until: AFTER }) as unknown as Fragment;

  it('while all its records are those in the cache', () => {
    const made = fragment([{ table: 'venues', id: 1, record: place }]);
    expect(isCurrent(made, records, NOW)).toBe(true);
    expect(isCurrent(fragment([{ table: 'venues', id: 1, record: { id: 1 } }]), records, NOW)).toBe(false);
    expect(isCurrent(fragment([{ table: 'venues', id: gone, record: null }]), records, NOW)).toBe(false);
    records.drop('venues', [1]);
    expect(isCurrent(made, records, NOW)).toBe(false);
  });

  it('at the times at which the same records are public', () => {
    expect([BEFORE, AFTER, '2026-11-20 08:59:59'].map((time) => isCurrent(fragment([]), records, time))).toEqual([
      true,
      false,
      false,
    ]);
  });
});
