import { Module } from '@nestjs/common';
import { CategoriesModule } from '../../categories/categories.module.js';
import { EventsModule } from '../../events/events.module.js';
import { OrganizersModule } from '../../organizers/organizers.module.js';
import { TagsModule } from '../../tags/tags.module.js';
import { VenuesModule } from '../../venues/venues.module.js';
import { WebhookNetwork } from '../webhook.network.js';
import { CarriedRecords } from './carried-records.js';
import { Claims } from './claims.js';
import { Deliveries } from './deliveries.js';
import { WebhookDispatcher } from './dispatcher.js';
import { FanOut } from './fan-out.js';
import { Results } from './results.js';
import { Sender } from './sender.js';
import { WebhookGauges } from './webhook-gauges.js';
import { WritePriority } from './write-priority.js';

/** Sends the messages of webhooks. */
@Module({
  imports: [EventsModule, VenuesModule, OrganizersModule, CategoriesModule, TagsModule],
  providers: [
    WebhookNetwork,
    CarriedRecords,
    Claims,
    FanOut,
    Sender,
    Results,
    Deliveries,
    WebhookGauges,
    WritePriority,
    WebhookDispatcher,
  ],
  exports: [WebhookDispatcher, WebhookNetwork],
})
export class DispatchModule {}
