import { Module } from '@nestjs/common';
import { CategoriesModule } from '../categories/categories.module.js';
import { EventsModule } from '../events/events.module.js';
import { OrganizersModule } from '../organizers/organizers.module.js';
import { TagsModule } from '../tags/tags.module.js';
import { VenuesModule } from '../venues/venues.module.js';
import { IcalController } from './ical.controller.js';
import { IcalService } from './ical.service.js';
import { SubscribedAddressStage, SubscribedFilterStage } from './subscribed-address.stage.js';

/** iCalendar feeds, for calendar programs. */
@Module({
  imports: [EventsModule, VenuesModule, OrganizersModule, CategoriesModule, TagsModule],
  controllers: [IcalController],
  providers: [IcalService, SubscribedAddressStage, SubscribedFilterStage],
})
export class FeedsModule {}
