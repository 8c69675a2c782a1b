import type { Sql } from '../database/sql/dialect.js';
import { TABLES } from '../database/sql/tables.js';
import { notFound } from '../platform/http/responses/record-reply.js';
import { allOf, type SqlCondition } from '../kernel/sql-condition.js';
import { offsetOf, type Page } from '../kernel/pagination.js';
import type { WebhookMessageRow } from './webhook-message.entity.js';
import type { WebhookRecord } from './webhook.presenter.js';

const SHOWN = `SELECT w.*, (SELECT count(*) FROM ${TABLES.webhookMessages} m
  WHERE m.webhook_id = w.id AND m.state = 'pending') AS pending FROM ${TABLES.webhooks} w`;

/** Returns a webhook, or throws a 404. `suffix`: that of the dialect, which locks the row. */
export async function getWebhook(sql: Sql, id: number, suffix = ''): Promise<WebhookRecord> {
  const [row] = await sql.query<WebhookRecord>(`${SHOWN} WHERE w.id = ?${suffix}`, [id]);
  if (row === undefined) throw notFound('rest-webhook-not-found', { id });
  return row;
}

export async function findWebhooks(sql: Sql, page: Page): Promise<{ total: number; rows: WebhookRecord[] }> {
  const total = await countOf(sql, TABLES.webhooks, allOf([]));
  const rows = await sql.query<WebhookRecord>(
    `${SHOWN} ORDER BY w.id LIMIT ${page.size} OFFSET ${offset(page, total)}`,
  );
  return { total, rows };
}

/** Returns a page of messages, newest first. */
export async function findMessages(
  sql: Sql,
  where: SqlCondition,
  page: Page,
): Promise<{ total: number; rows: WebhookMessageRow[] }> {
  const total = await countOf(sql, TABLES.webhookMessages, where);
  const rows = await sql.query<WebhookMessageRow>(
    `SELECT * FROM ${TABLES.webhookMessages} WHERE ${where.sql}
     ORDER BY id DESC LIMIT ${page.size} OFFSET ${offset(page, total)}`,
    where.params,
  );
  return { total, rows };
}

export async function countWebhooks(sql: Sql): Promise<number> {
  return countOf(sql, TABLES.webhooks, allOf([]));
}

async function countOf(sql: Sql, table: string, where: SqlCondition): Promise<number> {
  const [row] = await sql.query<{ total: number }>(
    `SELECT count(*) AS total FROM ${table} WHERE ${where.sql}`,
    where.params,
  );
  return Number(row?.total ?? 0);
}

/** The offset of a far page would overflow in the database. */
function offset(page: Page, total: number): number {
  return Math.min(offsetOf(page), total);
}
