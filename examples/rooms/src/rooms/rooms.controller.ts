import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  ParseIntPipe,
  Patch,
  Post,
  Put,
  Query,
  UseGuards,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Context, NAMESPACE, type RequestContext, Requires } from 'kalends';
import { BookingsService } from './bookings.service.js';
import { EmptyRoomGuard } from './empty-room.guard.js';
import { RoomChangesDto, RoomDto, RoomFilterDto } from './room.dto.js';
import type { Booking, Room } from './room.entity.js';
import { RoomsService } from './rooms.service.js';
import { TotalInterceptor } from './total.interceptor.js';

@Controller(`${NAMESPACE}/rooms`)
@ApiTags('Rooms')
@UsePipes(new ValidationPipe({ transform: true, whitelist: true, forbidNonWhitelisted: true }))
export class RoomsController {
  constructor(
    private readonly rooms: RoomsService,
    private readonly bookings: BookingsService,
  ) {}

  @Get()
  @UseInterceptors(TotalInterceptor)
  list(@Query() filter: RoomFilterDto): Promise<Room[]> {
    return this.rooms.list(filter);
  }

  @Get(':id')
  read(@Param('id', ParseIntPipe) id: number): Promise<Room> {
    return this.rooms.read(id);
  }

  @Post()
  @Requires('edit_posts')
  create(@Body() room: RoomDto, @Context() context: RequestContext): Promise<Room> {
    return this.rooms.create(room, context);
  }

  @Put(':id')
  @Requires('edit_posts')
  replace(
    @Param('id', ParseIntPipe) id: number,
    @Body() room: RoomDto,
    @Context() context: RequestContext,
  ): Promise<Room> {
    return this.rooms.update(id, room, context);
  }

  @Patch(':id')
  @Requires('edit_posts')
  change(
    @Param('id', ParseIntPipe) id: number,
    @Body() changes: RoomChangesDto,
    @Context() context: RequestContext,
  ): Promise<Room> {
    return this.rooms.update(id, changes, context);
  }

  @Delete(':id')
  @HttpCode(204)
  // Guards run from the last to the first: callers without the right do not learn whether the room has bookings.
  @UseGuards(EmptyRoomGuard)
  @Requires('edit_posts')
  remove(@Param('id', ParseIntPipe) id: number): Promise<void> {
    return this.rooms.remove(id);
  }

  @Put(':id/bookings/:eventId')
  @Requires('edit_posts')
  async book(@Param('id', ParseIntPipe) id: number, @Param('eventId', ParseIntPipe) eventId: number): Promise<Booking> {
    return this.bookings.book(await this.rooms.read(id), eventId);
  }

  @Delete(':id/bookings/:eventId')
  @HttpCode(204)
  @Requires('edit_posts')
  cancel(@Param('id', ParseIntPipe) id: number, @Param('eventId', ParseIntPipe) eventId: number): Promise<void> {
    return this.rooms.cancel(id, eventId);
  }
}
