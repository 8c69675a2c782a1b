import type { WebhookMessageRow } from '../webhook-message.entity.js';

/** Larger records are left out, in bytes of the body. */
const MAX_RECORD_BYTES = 256_000;

export type SentMessage = Pick<WebhookMessageRow, 'type' | 'record_type' | 'record_id' | 'change_id' | 'made_utc'>;

interface Parts {
  /** The address of the record. undefined: PUBLIC_URL is unset. */
  readonly restUrl: string | undefined;
  /** The record as the audience's list shows it. undefined: the payload is thin, or the list does not show it. */
  readonly record?: object;
}

/** Returns the body of a message, minified, with its members in the order of webhooks section 2. */
export function messageBody(message: SentMessage, { restUrl, record }: Parts): string {
  const body = (more: object) =>
    JSON.stringify({
      type: message.type,
      timestamp: `${message.made_utc.replace(' ', 'T')}Z`,
      data: {
        type: message.record_type,
        id: message.record_id,
        ...(restUrl === undefined ? {} : { rest_url: restUrl }),
        ...(message.change_id === 0 ? {} : { position: message.change_id }),
        ...more,
      },
    });
  if (record === undefined) return body({});
  const whole = body({ record });
  return Buffer.byteLength(whole) <= MAX_RECORD_BYTES ? whole : body({ record_omitted: true });
}
