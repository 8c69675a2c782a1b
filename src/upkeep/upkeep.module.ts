import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { OrganizersModule } from '../organizers/organizers.module.js';
import { VenuesModule } from '../venues/venues.module.js';
import { OldTrash } from './expired-trash.js';
import { PurgeCommand } from './purge.command.js';
import { RecountCommand } from './recount.command.js';

@Module({
  imports: [EventsModule, VenuesModule, OrganizersModule],
  providers: [OldTrash, PurgeCommand, RecountCommand],
})
export class UpkeepModule {}
