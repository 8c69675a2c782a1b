import { Global, Module } from '@nestjs/common';
import { Tracing } from './tracing.js';

@Global()
@Module({ providers: [Tracing], exports: [Tracing] })
export class TracingModule {}
