import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CategoriesModule } from '../categories/categories.module.js';
import { EventsModule } from '../events/events.module.js';
import { OrganizersModule } from '../organizers/organizers.module.js';
import { TagsModule } from '../tags/tags.module.js';
import { VenuesModule } from '../venues/venues.module.js';
import { ExportCommand } from './export.command.js';
import { Exporter } from './exporter.js';
import { ImportCommand } from './import.command.js';
import { ImportedLineRow, ImportedRecordRow } from './import.entity.js';
import { Importer } from './importer.js';
import { LineImporter } from './line-importer.js';
import { RecordImporter } from './record-importer.js';

@Module({
  imports: [
    EventsModule,
    VenuesModule,
    OrganizersModule,
    CategoriesModule,
    TagsModule,
    TypeOrmModule.forFeature([ImportedLineRow, ImportedRecordRow]),
  ],
  providers: [Importer, RecordImporter, LineImporter, ImportCommand, Exporter, ExportCommand],
})
export class TransferModule {}
