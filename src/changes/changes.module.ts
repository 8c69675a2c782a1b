import { Module } from '@nestjs/common';
import { CategoriesModule } from '../categories/categories.module.js';
import { EventsModule } from '../events/events.module.js';
import { OrganizersModule } from '../organizers/organizers.module.js';
import { TagsModule } from '../tags/tags.module.js';
import { VenuesModule } from '../venues/venues.module.js';
import { ChangesResetCommand } from './changes.command.js';
import { ChangesController } from './changes.controller.js';
import { ChangesReader } from './changes.reader.js';
import { ChangesService } from './changes.service.js';
import { ChangeWaiters } from './changes.wait.js';

@Module({
  imports: [EventsModule, VenuesModule, OrganizersModule, CategoriesModule, TagsModule],
  controllers: [ChangesController],
  providers: [ChangesService, ChangesReader, ChangeWaiters, ChangesResetCommand],
})
export class ChangesModule {}
