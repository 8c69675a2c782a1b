import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from './service.js';

let service: Service;
let venueId: number;
beforeAll(async () => {
  service = await startService();
  venueId = (await service.send('POST', '/venues', { venue: 'Town hall' })).body.id;
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
});

let count = 0;
async function newRoom(seats = 20): Promise<number> {
  const { status, body } = await service.send('POST', '/rooms', { name: `Room ${(count += 1)}`, seats, venueId });
  expect([status, body]).toEqual([201, { id: body.id, name: `Room ${count}`, seats, venueId }]);
  return body.id;
}
async function newEvent(start_date: string, end_date: string): Promise<number> {
  const { status, body } = await service.send('POST', '/events', { title: 'Talk', start_date, end_date });
  expect(status).toBe(201);
  return body.id;
}
const morning = () => newEvent('2027-03-10 09:00', '2027-03-10 12:00');
const noon = () => newEvent('2027-03-10 11:00', '2027-03-10 13:00');
const book = (room: number, event: number) => service.send('PUT', `/rooms/${room}/bookings/${event}`);

describe('/rooms', () => {
  it('creates, reads, replaces, changes and deletes a room', async () => {
    const id = await newRoom();
    const at = `/rooms/${id}`;
    const name = `Room ${count}`;
    expect((await service.send('GET', at)).body).toEqual({ id, name, seats: 20, venueId });
    expect((await service.send('PATCH', at, { seats: 30 })).body).toEqual({ id, name, seats: 30, venueId });
    const replaced = await service.send('PUT', at, { name: 'Red', seats: 5, venueId });
    expect(replaced.body).toEqual({ id, name: 'Red', seats: 5, venueId });
    expect((await service.send('DELETE', at)).status).toBe(204);
    expect(await service.send('GET', at)).toMatchObject({
      status: 404,
      body: { code: 'rest_not_found', message: `There is no room ${id}` },
    });
  });

  it('lists rooms with their number, by seats and venue', async () => {
    await newRoom(500);
    const { body } = await service.send('GET', `/rooms?minSeats=500&venueId=${venueId}`, undefined, 'nobody');
    expect(body).toEqual({ rooms: [expect.objectContaining({ seats: 500 })], total: 1 });
    expect((await service.send('GET', '/rooms?venueId=999')).body).toEqual({ rooms: [], total: 0 });
  });

  it('rejects wrong fields with a sentence for each', async () => {
    const { status, body } = await service.send('POST', '/rooms', { name: '', seats: 0, venueId, size: 3 });
    expect([status, body.code]).toEqual([400, 'rest_bad_request']);
    expect(body.data.params).toEqual({
      name: 'name must be longer than or equal to 1 characters',
      seats: 'seats must not be less than 1',
      size: 'property size should not exist',
    });
    expect((await service.send('GET', '/rooms/blue')).status).toBe(400);
    expect((await service.send('GET', '/rooms?minSeats=many')).status).toBe(400);
    const unknown = await service.send('POST', '/rooms', { name: 'Green', seats: 1, venueId: 999 });
    expect([unknown.status, unknown.body.data.params]).toEqual([
      400,
      { venueId: 'venueId 999 is not the id of a venue' },
    ]);
  });

  it('rejects a second room with the same name', async () => {
    await newRoom();
    const { status, body } = await service.send('POST', '/rooms', { name: `Room ${count}`, seats: 1, venueId });
    expect([status, body.code]).toEqual([409, 'rest_conflict']);
  });

  it('lets only callers write who may edit posts', async () => {
    const id = await newRoom();
    for (const [method, path] of [
      ['POST', '/rooms'],
      ['PUT', `/rooms/${id}`],
      ['PATCH', `/rooms/${id}`],
      ['DELETE', `/rooms/${id}`],
      ['PUT', `/rooms/${id}/bookings/1`],
      ['DELETE', `/rooms/${id}/bookings/1`],
    ] as const) {
      const body = method === 'DELETE' ? undefined : {};
      expect([path, (await service.send(method, path, body, 'nobody')).status]).toEqual([path, 401]);
    }
  });

  it('is in the OpenAPI document', async () => {
    const { body } = await service.send('GET', '/doc');
    expect(Object.keys(body.paths['/rooms/{id}'])).toEqual(['get', 'put', 'patch', 'delete']);
    expect(body.paths['/rooms'].post.tags).toEqual(['Rooms']);
    expect(body.components.schemas.RoomDto.properties.name).toEqual({
      type: 'string',
      minLength: 1,
      maxLength: 100,
      description: 'the name on the door',
      example: 'Blue room',
    });
  });
});

describe('bookings', () => {
  it('reject a second event at the same time with room_taken', async () => {
    const room = await newRoom();
    const name = `Room ${count}`;
    expect((await book(room, await morning())).status).toBe(200);
    expect(await book(room, await noon())).toMatchObject({
      status: 409,
      body: { code: 'room_taken', message: `Another event is in the room ${name} at that time.` },
    });
    expect((await book(room, await newEvent('2027-03-10 12:00', '2027-03-10 13:00'))).status).toBe(200);
    expect((await book(await newRoom(), await noon())).status).toBe(200);
    expect((await book(room, 999_999)).status).toBe(404);
  });

  it('of ten events at once, one gets the room', async () => {
    const room = await newRoom();
    const events = await Promise.all(Array.from({ length: 10 }, noon));
    const statuses = (await Promise.all(events.map((event) => book(room, event)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(9);
  });

  it('keep an event from moving to a time when its room is taken', async () => {
    const room = await newRoom();
    await book(room, await morning());
    const event = await newEvent('2027-03-11 09:00', '2027-03-11 10:00');
    await book(room, event);
    const moved = { start_date: '2027-03-10 11:00', end_date: '2027-03-10 11:30' };
    const { status, body } = await service.send('PUT', `/events/${event}`, moved);
    expect([status, body.code]).toEqual([409, 'room_taken']);
    expect((await service.send('GET', `/events/${event}`)).body.start_date).toBe('2027-03-11 09:00:00');
    await service.send('DELETE', `/rooms/${room}/bookings/${event}`);
    expect((await service.send('PUT', `/events/${event}`, moved)).status).toBe(200);
  });

  it('keep a room from being deleted, and end with their event', async () => {
    const room = await newRoom();
    const event = await morning();
    await book(room, event);
    const rejected = await service.send('DELETE', `/rooms/${room}`);
    expect([rejected.status, rejected.body.message]).toEqual([409, 'The room has bookings']);
    expect((await service.send('DELETE', `/events/${event}?force=true`)).status).toBe(200);
    expect((await service.send('DELETE', `/rooms/${room}`)).status).toBe(204);
  });

  it('do not count while their event is in the trash, which it leaves only if the room is free', async () => {
    const room = await newRoom();
    const [first, second] = [await morning(), await noon()];
    await book(room, first);
    await service.send('DELETE', `/events/${first}`);
    expect((await book(room, second)).status).toBe(200);
    const restored = await service.send('PUT', `/events/${first}`, { status: 'publish' });
    expect([restored.status, restored.body.code]).toEqual([409, 'room_taken']);
  });
});

it('the commands of the service work with the module', async () => {
  expect(await service.command('user', 'list')).toContain('admin');
  expect(await service.command('openapi')).toContain('/rooms/{id}');
  expect(await service.command('check')).toBeDefined();
});
