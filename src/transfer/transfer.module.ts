import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CategoriesModule } from '../categories/categories.module.js';
import { EventsModule } from '../events/events.module.js';
import { OrganizersModule } from '../organizers/organizers.module.js';
import { TagsModule } from '../tags/tags.module.js';
import { VenuesModule } from '../venues/venues.module.js';
import { ExportCommand } from './export.command.js';
import { Exporter } from './lines/exporter.js';
import { ImportCommand } from './import.command.js';
import { ImportedLineRow, ImportedRecordRow } from './keys/import.entity.js';
import { EventImporter } from './batch/event-importer.js';
import { BatchImporter } from './batch/batch-importer.js';
import { RecordImporter } from './batch/record-importer.js';

@Module({
  imports: [
    EventsModule,
    VenuesModule,
    OrganizersModule,
    CategoriesModule,
    TagsModule,
    TypeOrmModule.forFeature([ImportedLineRow, ImportedRecordRow]),
  ],
  providers: [EventImporter, RecordImporter, BatchImporter, ImportCommand, Exporter, ExportCommand],
})
export class TransferModule {}
