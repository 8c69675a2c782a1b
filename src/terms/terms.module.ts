import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TermCounts } from './term.counts.js';
import { TermRow } from './term.entity.js';

/** What categories, tags and events share. */
@Module({
  imports: [TypeOrmModule.forFeature([TermRow])],
  providers: [TermCounts],
  exports: [TermCounts],
})
export class TermsModule {}
