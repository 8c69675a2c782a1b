import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { OrganizersModule } from '../organizers/organizers.module.js';
import { VenuesModule } from '../venues/venues.module.js';
import { CheckCommand } from './check.command.js';
import { ExpiredTrash } from './expired-trash.js';
import { PurgeCommand } from './purge.command.js';
import { RereadCommand } from './reread.command.js';

@Module({
  imports: [EventsModule, VenuesModule, OrganizersModule],
  providers: [CheckCommand, ExpiredTrash, PurgeCommand, RereadCommand],
})
export class UpkeepModule {}
