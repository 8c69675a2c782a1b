import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { ApiError } from '../errors/api-error.js';
import { OperatorError } from '../errors/operator-error.js';
import { Problems } from '../errors/problems.js';
import { alignedColumns, textTable } from '../kernel/text/text-table.js';
import { CommandContext } from '../platform/http/command-context.js';
import { readInput } from '../platform/http/fields/input.js';
import type { RequestContext } from '../platform/http/request-context.js';
import { WebhookCreation, WebhookDto } from './webhook.dto.js';
import { presentWebhook } from './webhook.presenter.js';
import type { WebhookMessageResponse, WebhookResponse } from './webhook.response.js';
import { findWebhooks, getWebhook } from './webhook.store.js';
import { WebhookMessagesService } from './webhook-messages.service.js';
import { WebhooksService } from './webhooks.service.js';

/** More than WEBHOOK_MOST allows. */
const ALL = { number: 1, size: 1_000 };
const HEADINGS = ['id', 'url', 'audience', 'payload', 'state', 'pending', 'last success (UTC)'];
/** The operations have no parameters besides the id. */
const NO_INPUT = { dto: {}, problems: new Problems([]) };

/** The options of `kalends webhook add`: fields of POST /webhooks. `types`: separated by commas. */
export type AddOptions = Partial<Record<'description' | 'types' | 'audience' | 'payload' | 'from', string>>;

/**
 * `kalends webhook …`: what administrators do by the routes of webhooks, as the first administrator. Each method prints its
 * result and returns the exit code. Nothing is sent by the command itself: running servers send within a second.
 */
@Injectable()
export class WebhooksCommand {
  constructor(
    private readonly database: Database,
    private readonly webhooks: WebhooksService,
    private readonly messages: WebhookMessagesService,
    private readonly operator: CommandContext,
  ) {}

  add(url: string, options: AddOptions): Promise<number> {
    return this.run(async (context) => {
      const input = readInput(WebhookCreation, 'create', { url, ...options });
      const { id, secret } = (await this.webhooks.create(input, context)).body as WebhookResponse;
      process.stderr.write(`Webhook ${id} was made. Its secret is shown only once:\n`);
      return `${secret}\n`;
    });
  }

  list(): Promise<number> {
    return this.run(async ({ urls }) => {
      const { rows } = await findWebhooks(this.database, ALL);
      const shown = rows.map((row) => presentWebhook(row, urls));
      return textTable(
        HEADINGS,
        shown.map((one) => [one.id, one.url, one.audience, one.payload, state(one), one.pending, one.last_success_utc]),
      );
    });
  }

  show(id: string): Promise<number> {
    return this.run(async ({ urls }) => {
      const { rest_url: _, ...shown } = presentWebhook(await getWebhook(this.database, idOf(id)), urls);
      return alignedColumns(Object.entries(shown).map(([name, value]) => [name, String(value) || '-']));
    });
  }

  rotate(id: string): Promise<number> {
    return this.run(async (context) => {
      const { body } = await this.webhooks.rotate(idOf(id), NO_INPUT, context);
      process.stderr.write(`The former secret also signs for 24 hours. The new one is shown only once:\n`);
      return `${(body as WebhookResponse).secret}\n`;
    });
  }

  /** Pauses a webhook, or lets it continue where it stopped. */
  setActive(id: string, active: boolean): Promise<number> {
    return this.run(async (context) => {
      await this.webhooks.update(idOf(id), readInput(WebhookDto, 'update', { active }), context);
      return active ? `Webhook ${id} continues where it stopped.\n` : `Webhook ${id} is paused.\n`;
    });
  }

  test(id: string): Promise<number> {
    return this.run(async (context) => {
      const { body } = await this.messages.test(idOf(id), NO_INPUT, context);
      return `Message ${(body as WebhookMessageResponse).id} is due: a running server sends it.\n`;
    });
  }

  remove(id: string): Promise<number> {
    return this.run(async (context) => {
      await this.webhooks.remove(idOf(id), NO_INPUT, context);
      return `Webhook ${id} was removed.\n`;
    });
  }

  private async run(work: (context: RequestContext) => Promise<string>): Promise<number> {
    try {
      process.stdout.write(await work(await this.operator.read()));
      return 0;
    } catch (error) {
      throw error instanceof ApiError ? new OperatorError(textOf(error)) : error;
    }
  }
}

function idOf(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new OperatorError(`"${text}" is not the number of a webhook.`);
  return Number(text);
}

function state({ active, disabled_reason }: WebhookResponse): string {
  return active ? 'active' : disabled_reason;
}

/** Returns the text of an error, with what is wrong with each field. */
function textOf(error: ApiError): string {
  const { params = {} } = (error.extras.data ?? {}) as { params?: string[] | Record<string, string> };
  return [error.message, ...(Array.isArray(params) ? [] : Object.values(params))].join('\n');
}
