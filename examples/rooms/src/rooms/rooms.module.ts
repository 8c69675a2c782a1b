import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { VenuesModule } from 'kalends';
import { BookingsHook } from './bookings.hook.js';
import { BookingsService } from './bookings.service.js';
import { Booking, Room } from './room.entity.js';
import { RoomsController } from './rooms.controller.js';
import { RoomsService } from './rooms.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Room, Booking]), VenuesModule],
  controllers: [RoomsController],
  providers: [RoomsService, BookingsService, BookingsHook],
})
export class RoomsModule {}
