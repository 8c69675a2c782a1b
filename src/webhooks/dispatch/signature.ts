import { createHmac } from 'node:crypto';
import { keyOf } from '../webhook.secret.js';

/** Returns the `webhook-signature` header of Standard Webhooks: one signature for each secret, in their order. */
export function signatures(secrets: readonly string[], id: string, timestamp: number, body: string): string {
  const text = `${id}.${timestamp}.${body}`;
  return secrets.map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(text).digest('base64')}`).join(' ');
}
