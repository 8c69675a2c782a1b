import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyKeyRow } from './idempotency-key.entity.js';
import { IdempotencyKeys } from './idempotency-keys.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyKeyRow])],
  providers: [IdempotencyKeys],
  exports: [IdempotencyKeys],
})
export class IdempotencyModule {}
