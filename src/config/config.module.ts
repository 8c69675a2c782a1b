import { Global, Module } from '@nestjs/common';
import { Clock } from './clock.js';
import { configuredEnvironment, Environment } from './environment.js';
import { SiteSettings } from './site-settings.js';

@Global()
@Module({
  providers: [
    { provide: Environment, useFactory: configuredEnvironment },
    {
      provide: SiteSettings,
      useFactory: (environment: Environment) => new SiteSettings(environment),
      inject: [Environment],
    },
    Clock,
  ],
  exports: [Environment, SiteSettings, Clock],
})
export class ConfigModule {}
