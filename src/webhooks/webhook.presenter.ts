import type { Urls } from '../platform/http/base-url.js';
import { attemptsOf } from './webhook.attempts.js';
import type { WebhookMessageRow } from './webhook-message.entity.js';
import type { WebhookMessageResponse, WebhookResponse } from './webhook.response.js';
import type { WebhookRow } from './webhook.entity.js';

/** A webhook with the number of its messages that wait. */
export type WebhookRecord = WebhookRow & { readonly pending: number };

/** Returns a webhook, without its secret. */
export function presentWebhook(row: WebhookRecord, urls: Urls): WebhookResponse {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    types: row.types.split(','),
    audience: row.audience,
    payload: row.payload,
    active: row.active === 1,
    disabled_reason: row.disabled_reason,
    failing_since_utc: row.failing_since_utc ?? '',
    pending: Number(row.pending),
    missed_before_utc: row.missed_before_utc ?? '',
    last_success_utc: row.last_success_utc ?? '',
    created_utc: row.created_utc,
    modified_utc: row.modified_utc,
    rest_url: urls.record('webhooks', row.id),
  };
}

/** Returns a message, without its body (webhooks section 1). */
export function presentMessage(row: WebhookMessageRow): WebhookMessageResponse {
  return {
    id: row.message_id,
    type: row.type,
    state: row.state,
    record: { type: row.record_type, id: row.record_id },
    attempts: attemptsOf(row.attempts).map(({ at_utc, status, milliseconds, error }) => ({
      at_utc,
      status,
      milliseconds,
      error,
    })),
    next_attempt_utc: row.state === 'pending' ? (row.due_utc ?? '') : '',
    created_utc: row.created_utc,
  };
}
