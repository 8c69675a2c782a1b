import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventDrafts } from './write/draft.js';
import { EventOrganizerRow, EventRow, EventTermRow, EventVenueRow } from './event.entity.js';
import { EventFilterReader } from './filter/read-filter.js';
import { EventLinkKinds } from './event.link-kinds.js';
import { EventCalendar } from './views/calendar.js';
import { EventList } from './event.list.js';
import { EventOverview } from './views/overview.js';
import { EventLinks, EventProtection, EventReader } from './event.reader.js';
import { EventListFilters } from './hooks/list-filter.js';
import { EventFragments } from './fragments/event-fragments.js';
import { EventMembers } from './hooks/member.js';
import { EventWriteHooks } from './hooks/write-hook.js';
import { ScheduledPublisher } from './write/scheduled-publisher.js';
import { EventReferences } from './write/references.js';
import { FollowedEvents } from './index/followed-events.js';
import { IndexCheck } from './index/index-check.js';
import { IndexedCounts } from './index/indexed-counts.js';
import { IndexedList } from './index/indexed-list.js';
import { EventSearch } from './search/event-search.js';
import { SearchBlockRow, SearchIndexRow, SearchWordRow } from './search/search-index.entity.js';
import { TermsModule } from '../terms/terms.module.js';
import { EventWriter } from './write/event-writer.js';
import { EventUpkeepService } from './event.upkeep.service.js';
import { EventsController } from './events.controller.js';
import { EventsService } from './events.service.js';

@Module({
  imports: [
    DiscoveryModule,
    TermsModule,
    TypeOrmModule.forFeature([
      EventRow,
      EventVenueRow,
      EventOrganizerRow,
      EventTermRow,
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
    EventFragments,
    EventOverview,
    EventSearch,
    FollowedEvents,
    IndexedList,
    IndexedCounts,
    IndexCheck,
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
