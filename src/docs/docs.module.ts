import { Module } from '@nestjs/common';
import { ApiDocuments } from './api-documents.js';
import { DocsController } from './docs.controller.js';
import { PageAssetsStage } from './swagger-ui/page-assets.stage.js';

@Module({ controllers: [DocsController], providers: [ApiDocuments, PageAssetsStage] })
export class DocsModule {}
