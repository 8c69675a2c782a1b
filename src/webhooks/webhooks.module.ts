import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DispatchModule } from './dispatch/dispatch.module.js';
import { WebhookMessageRow } from './webhook-message.entity.js';
import { WebhookMessagesService } from './webhook-messages.service.js';
import { WebhookRow } from './webhook.entity.js';
import { WebhooksCommand } from './webhooks.command.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './webhooks.service.js';

/** Signed messages about changes, to addresses that administrators name. */
@Module({
  imports: [TypeOrmModule.forFeature([WebhookRow, WebhookMessageRow]), DispatchModule],
  controllers: [WebhooksController],
  providers: [WebhooksService, WebhookMessagesService, WebhooksCommand],
})
export class WebhooksModule {}
