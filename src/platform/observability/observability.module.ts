import { Global, Module } from '@nestjs/common';
import { Log } from './log.js';
import { Metrics } from './metrics.js';
import { Tracing } from './tracing.js';

@Global()
@Module({ providers: [Log, Metrics], exports: [Log, Metrics] })
export class ObservabilityModule {}

@Global()
@Module({ providers: [Tracing], exports: [Tracing] })
export class TracingModule {}
