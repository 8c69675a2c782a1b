import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { map, type Observable } from 'rxjs';

/** Turns a list into an object with the list and its length. */
@Injectable()
export class TotalInterceptor implements NestInterceptor<object[]> {
  intercept(_: ExecutionContext, next: CallHandler<object[]>): Observable<object> {
    return next.handle().pipe(map((rooms) => ({ rooms, total: rooms.length })));
  }
}
