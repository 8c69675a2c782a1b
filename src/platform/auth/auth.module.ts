import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FailedAttempts } from './failed-attempts.js';
import { Authenticator } from './authenticator.js';
import { FirstAdmin } from './first-admin.js';
import { PasswordAttempts } from './password-attempts.js';
import { PasswordVerifier } from './password-verifier.js';
import { TokenRow, UserRow } from './user.entity.js';
import { UsersService } from './users.service.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([UserRow, TokenRow])],
  providers: [FailedAttempts, Authenticator, FirstAdmin, PasswordAttempts, PasswordVerifier, UsersService],
  exports: [Authenticator, FirstAdmin, PasswordAttempts, UsersService],
})
export class AuthModule {}
