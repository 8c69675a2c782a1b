import { messageBody } from './message.js';

const MESSAGE = {
  type: 'event.updated',
  record_type: 'event',
  record_id: 12,
  change_id: 8673,
  made_utc: '2026-11-22 23:16:25',
};
const restUrl = 'https://example.com/calendar/events/v1/events/12';

test('HOOK-04: a thin body is that of webhooks section 2', () => {
  expect(messageBody(MESSAGE, { restUrl })).toBe(
    '{"type":"event.updated","timestamp":"2026-11-22T23:16:25Z","data":{"type":"event","id":12,' +
      '"rest_url":"https://example.com/calendar/events/v1/events/12","position":8673}}',
  );
});

test('HOOK-04: without PUBLIC_URL there is no link, in a test no position', () => {
  expect(messageBody({ ...MESSAGE, change_id: 0 }, { restUrl: undefined })).toBe(
    '{"type":"event.updated","timestamp":"2026-11-22T23:16:25Z","data":{"type":"event","id":12}}',
  );
});

test('HOOK-07: a record above 256 kB is left out', () => {
  const data = (size: number) => {
    const body = messageBody(MESSAGE, { restUrl, record: { title: 'é'.repeat(size) } });
    return (JSON.parse(body) as { data: Record<string, unknown> }).data;
  };
  expect(data(100)).toMatchObject({ position: 8673, record: { title: 'é'.repeat(100) } });
  expect(data(127_000)).toHaveProperty('record');
  expect(data(128_000)).toEqual({ type: 'event', id: 12, rest_url: restUrl, position: 8673, record_omitted: true });
});
