import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Attempts } from './attempts.js';
import { Authenticator } from './authenticator.js';
import { FirstStart } from './first-start.js';
import { OperatorContext } from './operator-context.js';
import { TokenRow, UserRow } from './user.entity.js';
import { UsersService } from './users.service.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([UserRow, TokenRow])],
  providers: [Attempts, Authenticator, FirstStart, OperatorContext, UsersService],
  exports: [Attempts, Authenticator, FirstStart, OperatorContext, UsersService],
})
export class AuthModule {}
