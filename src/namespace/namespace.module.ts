import { Module } from '@nestjs/common';
import { NamespaceController } from './namespace.controller.js';

@Module({ controllers: [NamespaceController] })
export class NamespaceModule {}
