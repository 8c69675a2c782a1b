import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CategoriesModule } from '../categories/categories.module.js';
import { TagsModule } from '../tags/tags.module.js';
import { EventDrafts } from './event.draft.js';
import {
  EventDayRow,
  EventOrganizerRow,
  EventRow,
  EventTermRow,
  EventVenueRow,
  ScheduledDayRow,
} from './event.entity.js';
import { EventFilters } from './event.filters.js';
import { EventLinked } from './event.linked.js';
import { EventLinks } from './event.links.js';
import { EventProtection } from './event.protection.js';
import { EventPublisher } from './event.publisher.js';
import { EventReader } from './event.reader.js';
import { EventReferences } from './event.references.js';
import { EventSearch } from './event.search.js';
import { SearchIndexRow, SearchSliceRow } from './event.search.entity.js';
import { EventTotals } from './event.totals.js';
import { EventWriter } from './event.writer.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';

@Module({
  imports: [
    CategoriesModule,
    TagsModule,
    TypeOrmModule.forFeature([
      EventRow,
      EventVenueRow,
      EventOrganizerRow,
      EventTermRow,
      EventDayRow,
      ScheduledDayRow,
      SearchIndexRow,
      SearchSliceRow,
    ]),
  ],
  controllers: [EventsController],
  providers: [
    EventsService,
    EventFilters,
    EventReader,
    EventSearch,
    EventTotals,
    EventLinked,
    EventLinks,
    EventProtection,
    EventPublisher,
    EventDrafts,
    EventReferences,
    EventWriter,
  ],
  exports: [EventsService],
})
export class EventsModule {}
