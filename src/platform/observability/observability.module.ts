import { Global, Module } from '@nestjs/common';
import { AccessLog } from './access-log.js';
import { Log } from './log.js';
import { Metrics } from './metrics.js';

@Global()
@Module({ providers: [Log, AccessLog, Metrics], exports: [Log, AccessLog, Metrics] })
export class ObservabilityModule {}
