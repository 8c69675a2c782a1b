import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Attempts } from './failed-attempts.js';
import { Authenticator } from './authenticator.js';
import { FirstStart } from './first-admin.js';
import { OperatorContext } from '../http/command-context.js';
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
