import { Global, Module } from '@nestjs/common';
import { AccessLog } from '../http/pipeline/access-log.js';
import { Log } from './log.js';
import { Metrics } from './metrics.js';
import { Tracing } from './tracing.js';

@Global()
@Module({ providers: [Log, AccessLog, Metrics], exports: [Log, AccessLog, Metrics] })
export class ObservabilityModule {}

@Global()
@Module({ providers: [Tracing], exports: [Tracing] })
export class TracingModule {}
