import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';

@Entity('rooms')
export class Room {
  @PrimaryGeneratedColumn() id: number;
  @Column({ length: 100, unique: true }) name: string;
  @Column() seats: number;
  @Column({ name: 'venue_id' }) venueId: number;
}

/** An event takes place in a room. */
@Entity('room_bookings')
export class Booking {
  @PrimaryColumn({ name: 'room_id' }) roomId: number;
  @PrimaryColumn({ name: 'event_id' }) eventId: number;
}
