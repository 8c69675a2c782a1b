import type { Type } from '@nestjs/common';
import { ConfigModule } from '../config/config.module.js';
import { DatabaseModule } from '../database/database.module.js';
import type { Migrations } from '../database/further-migrations.js';
import { AuthModule } from '../platform/auth/auth.module.js';
import { LimitsModule } from '../platform/limits/limits.module.js';
import { ObservabilityModule } from '../platform/observability/observability.module.js';
import { rootOf } from '../root-module.js';

/** Returns the root module of the commands that need only the schema, users and tokens. It loads in half the time of all. */
export function usersRoot(migrations: Migrations = []): Type {
  return rootOf([ConfigModule, ObservabilityModule, DatabaseModule, LimitsModule, AuthModule], migrations);
}
