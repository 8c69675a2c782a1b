import './room.errors.js';
import { Injectable, NotFoundException } from '@nestjs/common';
import { apiError, Database, isOneOf, type Transaction } from 'kalends';
import { Booking, Room } from './room.entity.js';

/** When an event takes place, as the table `events` has it: in UTC. */
interface Times {
  readonly start_utc: string;
  readonly end_utc: string;
}

@Injectable()
export class BookingsService {
  constructor(private readonly database: Database) {}

  /** Lets an event take place in a room. Rejects it with 409 `room_taken` if another event is there. */
  book(room: Room, eventId: number): Promise<Booking> {
    return this.database.inTransaction(async (tx) => {
      // The event keeps its times until the commit.
      await tx.lockRows('events', [eventId]);
      const [event] = await tx.query<Times>(
        `SELECT start_utc, end_utc FROM events WHERE id = ? AND status <> 'trash'`,
        [eventId],
      );
      if (event === undefined) throw new NotFoundException(`There is no event ${eventId}`);
      await this.mustBeFree(tx, [room], eventId, event);
      return tx.manager.save(Booking, { roomId: room.id, eventId });
    });
  }

  /** Returns the rooms of an event. */
  async roomsOf(tx: Transaction, eventId: number): Promise<Room[]> {
    const bookings = await tx.manager.findBy(Booking, { eventId });
    const ids = bookings.map(({ roomId }) => ({ id: roomId }));
    return ids.length === 0 ? [] : tx.manager.findBy(Room, ids);
  }

  /** Throws `room_taken` if an event other than `eventId` is in one of the rooms. No other can come before the commit. */
  async mustBeFree(tx: Transaction, rooms: readonly Room[], eventId: number, times: Times): Promise<void> {
    await tx.lockNames(rooms.map(({ id }) => `room ${id}`));
    const isHere = isOneOf(
      'b.room_id',
      rooms.map(({ id }) => id),
    );
    const [taken] = await tx.query<{ room_id: number }>(
      `SELECT b.room_id FROM room_bookings b JOIN events e ON e.id = b.event_id
       WHERE ${isHere.sql} AND b.event_id <> ? AND e.status <> 'trash' AND e.start_utc < ? AND e.end_utc > ?`,
      [...isHere.params, eventId, times.end_utc, times.start_utc],
    );
    if (taken === undefined) return;
    const { name = '' } = rooms.find(({ id }) => id === taken.room_id) ?? {};
    throw apiError('room_taken', { params: { name } });
  }
}
