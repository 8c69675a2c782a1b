import { Global, Module } from '@nestjs/common';
import { AccessLog } from './access-log.js';
import { Log } from './log.js';

@Global()
@Module({ providers: [Log, AccessLog], exports: [Log, AccessLog] })
export class ObservabilityModule {}
