import { Module } from '@nestjs/common';
import { CategoriesModule } from '../categories/categories.module.js';
import { TagsModule } from '../tags/tags.module.js';
import { NamespaceController } from './namespace.controller.js';
import { SiteController } from './site.controller.js';

@Module({ imports: [CategoriesModule, TagsModule], controllers: [NamespaceController, SiteController] })
export class NamespaceModule {}
