import { type EventHook, type EventWrite, EventWriteHook, type StoredWrite, type Transaction } from 'kalends';
import { BookingsService } from './bookings.service.js';
import { Booking } from './room.entity.js';

/** Keeps the bookings right when an event moves to another time, comes back from the trash, or is deleted. */
@EventWriteHook()
export class BookingsHook implements EventHook {
  constructor(private readonly bookings: BookingsService) {}

  async beforeWrite({ kind, id, after }: EventWrite, tx: Transaction): Promise<void> {
    if (kind !== 'update' || id === undefined || after === undefined) return;
    const rooms = await this.bookings.roomsOf(tx, id);
    if (rooms.length > 0) await this.bookings.mustBeFree(tx, rooms, id, after);
  }

  async afterWrite({ id, after }: StoredWrite, tx: Transaction): Promise<void> {
    if (after === undefined) await tx.manager.delete(Booking, { eventId: id });
  }
}
