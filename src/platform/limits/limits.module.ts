import { Global, Module } from '@nestjs/common';
import { Limits } from './limits.js';
import { SharedStore } from './shared-store.js';

@Global()
@Module({ providers: [SharedStore, Limits], exports: [SharedStore, Limits] })
export class LimitsModule {}
