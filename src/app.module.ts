import { Module } from '@nestjs/common';
import { CategoriesModule } from './categories/categories.module.js';
import { ChangesModule } from './changes/changes.module.js';
import { BootstrapModule } from './database/bootstrap-hold.js';
import { DatabaseModule } from './database/database.module.js';
import { EventsModule } from './events/events.module.js';
import { NamespaceModule } from './namespace/namespace.module.js';
import { OrganizersModule } from './organizers/organizers.module.js';
import { AuthModule } from './platform/auth/auth.module.js';
import { ConfigModule } from './config/config.module.js';
import { DocsModule } from './docs/docs.module.js';
import { HttpModule } from './platform/http/http.module.js';
import { IdempotencyModule } from './platform/http/idempotency/idempotency.module.js';
import { ImagesModule } from './platform/images/images.module.js';
import { LimitsModule } from './platform/limits/limits.module.js';
import { ObservabilityModule, TracingModule } from './platform/observability/observability.module.js';
import { PagesModule } from './pages/pages.module.js';
import { TagsModule } from './tags/tags.module.js';
import { TransferModule } from './transfer/transfer.module.js';
import { UpkeepModule } from './upkeep/upkeep.module.js';
import { VenuesModule } from './venues/venues.module.js';

@Module({
  imports: [
    ConfigModule,
    ObservabilityModule,
    DatabaseModule,
    LimitsModule,
    TracingModule,
    AuthModule,
    ImagesModule,
    HttpModule,
    IdempotencyModule,
    DocsModule,
    NamespaceModule,
    EventsModule,
    CategoriesModule,
    TagsModule,
    PagesModule,
    TransferModule,
    UpkeepModule,
    ChangesModule,
    VenuesModule,
    OrganizersModule,
    // Last, see there.
    BootstrapModule,
  ],
})
export class AppModule {}
