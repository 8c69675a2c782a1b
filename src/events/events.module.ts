import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventDrafts } from './write/draft.js';
import {
  EventDayRow,
  EventOrganizerRow,
  EventRow,
  EventTermRow,
  EventVenueRow,
  ScheduledDayRow,
} from './event.entity.js';
import { EventFilterReader } from './filter/read-filter.js';
import { EventLinkKinds } from './event.link-kinds.js';
import { EventCalendar } from './views/calendar.js';
import { EventList } from './event.list.js';
import { EventOverview } from './views/overview.js';
import { EventLinks, EventProtection, EventReader } from './event.reader.js';
import { EventListFilters } from './hooks/list-filter.js';
import { EventMembers } from './hooks/member.js';
import { EventWriteHooks } from './hooks/write-hook.js';
import { ScheduledPublisher } from './write/scheduled-publisher.js';
import { EventReferences } from './write/references.js';
import { FollowedEvents } from './index/followed-events.js';
import { IndexCheck } from './index/index-check.js';
import { IndexedList } from './index/indexed-list.js';
import { EventSearch } from './search/event-search.js';
import { SearchBlockRow, SearchIndexRow, SearchWordRow } from './search/search-index.entity.js';
import { EventTotals } from './totals/event-totals.js';
import { EventWriter } from './write/event-writer.js';
import { EventUpkeepService } from './event.upkeep.service.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';

@Module({
  imports: [
    DiscoveryModule,
    TypeOrmModule.forFeature([
      EventRow,
      EventVenueRow,
      EventOrganizerRow,
      EventTermRow,
      EventDayRow,
      ScheduledDayRow,
      SearchIndexRow,
      SearchWordRow,
      SearchBlockRow,
    ]),
  ],
  controllers: [EventsController],
  providers: [
    EventsService,
    EventUpkeepService,
    EventFilterReader,
    EventList,
    EventCalendar,
    EventReader,
    EventOverview,
    EventSearch,
    FollowedEvents,
    IndexedList,
    IndexCheck,
    EventTotals,
    EventLinkKinds,
    EventListFilters,
    EventMembers,
    EventWriteHooks,
    EventLinks,
    EventProtection,
    ScheduledPublisher,
    EventDrafts,
    EventReferences,
    EventWriter,
  ],
  exports: [EventsService, EventUpkeepService],
})
export class EventsModule {}
