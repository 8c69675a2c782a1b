import { BadRequestException, ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { ApiError, byId, type RequestContext, VenuesService } from 'kalends';
import { MoreThanOrEqual, Not, type Repository } from 'typeorm';
import type { RoomChangesDto, RoomDto, RoomFilterDto } from './room.dto.js';
import { Booking, Room } from './room.entity.js';

@Injectable()
export class RoomsService {
  constructor(
    @InjectRepository(Room) private readonly rooms: Repository<Room>,
    @InjectRepository(Booking) private readonly bookings: Repository<Booking>,
    private readonly venues: VenuesService,
  ) {}

  list({ minSeats = 1, venueId }: RoomFilterDto): Promise<Room[]> {
    return this.rooms.find({ where: { seats: MoreThanOrEqual(minSeats), venueId }, order: { name: 'ASC' } });
  }

  async read(id: number): Promise<Room> {
    const room = await this.rooms.findOneBy({ id });
    if (room === null) throw new NotFoundException(`There is no room ${id}`);
    return room;
  }

  async create(dto: RoomDto, context: RequestContext): Promise<Room> {
    await this.check(dto, 0, context);
    return this.rooms.save(this.rooms.create(dto));
  }

  async update(id: number, changes: RoomChangesDto, context: RequestContext): Promise<Room> {
    const room = await this.read(id);
    await this.check(changes, id, context);
    return this.rooms.save({ ...room, ...changes });
  }

  async remove(id: number): Promise<void> {
    await this.rooms.delete({ id });
  }

  isBooked(id: number): Promise<boolean> {
    return this.bookings.existsBy({ roomId: id });
  }

  async cancel(id: number, eventId: number): Promise<void> {
    await this.bookings.delete({ roomId: id, eventId });
  }

  private async check({ name, venueId }: RoomChangesDto, id: number, context: RequestContext): Promise<void> {
    if (name !== undefined && (await this.rooms.existsBy({ name, id: Not(id) }))) {
      throw new ConflictException(`There is a room ${name} already`);
    }
    if (venueId !== undefined) await this.mustSeeVenue(venueId, context);
  }

  /** Rejects venues that do not exist, or that the caller may not read. */
  private async mustSeeVenue(id: number, context: RequestContext): Promise<void> {
    try {
      await this.venues.read(byId(id), context);
    } catch (error) {
      throw error instanceof ApiError ? new BadRequestException([`venueId ${id} is not the id of a venue`]) : error;
    }
  }
}
