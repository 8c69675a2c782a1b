import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Attempts } from './attempts.js';
import { Authenticator } from './authenticator.js';
import { FirstStart } from './first-start.js';
import { OperatorContext } from './operator-context.js';
import { PasswordAttempts } from './password-attempts.js';
import { PasswordVerifier } from './password-verifier.js';
import { TokenRow, UserRow } from './user.entity.js';
import { UsersService } from './users.service.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([UserRow, TokenRow])],
  providers: [Attempts, Authenticator, FirstStart, OperatorContext, PasswordAttempts, PasswordVerifier, UsersService],
  exports: [Authenticator, FirstStart, OperatorContext, PasswordAttempts, UsersService],
})
export class AuthModule {}
