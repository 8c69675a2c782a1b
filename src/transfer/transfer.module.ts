import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module.js';
import { ImportCommand } from './import.command.js';
import { ImportedLineRow } from './import.entity.js';
import { Importer } from './importer.js';

@Module({
  imports: [EventsModule, TypeOrmModule.forFeature([ImportedLineRow])],
  providers: [Importer, ImportCommand],
})
export class TransferModule {}
