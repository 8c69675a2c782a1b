import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CategoriesModule } from '../categories/categories.module.js';
import { TagsModule } from '../tags/tags.module.js';
import { EventDrafts } from './write/draft.js';
import {
  EventDayRow,
  EventOrganizerRow,
  EventRow,
  EventTermRow,
  EventVenueRow,
  ScheduledDayRow,
} from './event.entity.js';
import { EventFilters } from './filter/read-filter.js';
import { EventLinked } from './event.link-kinds.js';
import { EventLinks } from './event.reader.js';
import { EventProtection } from './event.reader.js';
import { EventPublisher } from './write/scheduled-publisher.js';
import { EventReader } from './event.reader.js';
import { EventReferences } from './write/references.js';
import { EventSearch } from './search/event-search.js';
import { SearchIndexRow, SearchSliceRow } from './search/search-index.entity.js';
import { EventTotals } from './totals/event-totals.js';
import { EventWriter } from './write/event-writer.js';
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
