import { type CanActivate, ConflictException, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { RoomsService } from './rooms.service.js';

/** Rejects requests on a room that has bookings. */
@Injectable()
export class EmptyRoomGuard implements CanActivate {
  constructor(private readonly rooms: RoomsService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { id } = context.switchToHttp().getRequest<Request>().params;
    if (await this.rooms.isBooked(Number(id))) throw new ConflictException('The room has bookings');
    return true;
  }
}
