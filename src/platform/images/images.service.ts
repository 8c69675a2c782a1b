import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Sql } from '../../database/sql/dialect.js';
import { TABLES } from '../../database/sql/tables.js';
import type { Transaction } from '../../database/connection/transaction.js';
import type { UtcTime } from '../../kernel/time/calendar-time.js';
import { type Caller, can } from '../../kernel/caller.js';
import { isOneOf } from '../../kernel/sql-condition.js';
import { Environment } from '../../config/environment.js';
import type { Problems } from '../../errors/problems.js';
import { INTERNET, type Network } from '../outbound/network.js';
import { type ImageMeasures, probeImage } from './image-probe.js';
import type { ImageReference } from './image.reference.js';

/** The image of a write. */
export interface SentImage {
  readonly reference: ImageReference | null | undefined;
  /** The result of the probe, if there was one. */
  readonly measures: ImageMeasures | undefined;
}

/** Images have one record per URL and are never deleted (contract section 8, "Image"). */
@Injectable()
export class ImagesService {
  /** The network for probes; replaced in tests. */
  network: Network = INTERNET;

  constructor(
    private readonly environment: Environment,
    private readonly database: Database,
  ) {}

  /** Reports problems of the image of a write, under the name of its parameter. */
  async check(
    sql: Sql,
    reference: ImageReference | null | undefined,
    caller: Caller,
    problems: Problems,
    name: string,
  ): Promise<void> {
    if (hasUrl(reference)) {
      // contract AUTH-12: also if the URL is stored already, so that the response does not reveal that.
      if (!can(caller, 'add_images')) problems.add(name, 'rest_not_allowed', 'has a value you are not allowed to use.');
    } else if (hasId(reference) && !(await isStored(sql, reference.id))) {
      problems.addUnknown(name, [reference.id]);
    }
  }

  /**
   * Probes a URL that is not stored yet, if IMAGE_PROBE is set. Reports a URL that is not an image (contract
   * EV-NEW-07). Call it before the transaction, because it may take seconds.
   */
  async probe(
    reference: ImageReference | null | undefined,
    caller: Caller,
    problems: Problems,
    name: string,
  ): Promise<ImageMeasures | undefined> {
    if (!this.environment.IMAGE_PROBE || !hasUrl(reference) || !can(caller, 'add_images')) return undefined;
    if ((await findIdsByUrl(this.database, [reference.url])).size > 0) return undefined;
    const measures = await probeImage(reference.url, this.network);
    if (measures === undefined) problems.add(name, 'rest_invalid_image', 'is not a valid image.');
    return measures;
  }

  /** Returns the ids of checked references, in order. Inserts records of new URLs. */
  async store(tx: Transaction, images: readonly SentImage[], nowUtc: UtcTime): Promise<(number | null)[]> {
    const measures = new Map<string, ImageMeasures | undefined>();
    for (const { reference, measures: measured } of images) {
      if (hasUrl(reference) && !measures.has(reference.url)) measures.set(reference.url, measured);
    }
    const ids = await storedIds(tx, measures, nowUtc);
    return images.map(({ reference }) => {
      if (hasId(reference)) return reference.id;
      return hasUrl(reference) ? ids.get(reference.url)! : null;
    });
  }
}

async function isStored(sql: Sql, id: number): Promise<boolean> {
  return (await sql.query(`SELECT id FROM ${TABLES.images} WHERE id = ?`, [id])).length > 0;
}

function hasId(reference: ImageReference | null | undefined): reference is { id: number } {
  return typeof reference === 'object' && reference !== null && 'id' in reference;
}

function hasUrl(reference: ImageReference | null | undefined): reference is { url: string } {
  return typeof reference === 'object' && reference !== null && 'url' in reference;
}

/** Returns ids by URL. If another transaction inserts the same URL first, uses its record. */
async function storedIds(
  tx: Transaction,
  images: ReadonlyMap<string, ImageMeasures | undefined>,
  nowUtc: UtcTime,
): Promise<Map<string, number>> {
  for (let attempt = 1; ; attempt += 1) {
    const ids = await findIdsByUrl(tx, [...images.keys()]);
    const missing = [...images].filter(([url]) => !ids.has(url));
    if (missing.length === 0) return ids;
    const rows = missing.map(([url, measures]) => ({
      url,
      url_hash: urlHash(url),
      width: measures?.width ?? null,
      height: measures?.height ?? null,
      filesize: measures?.filesize ?? null,
      created_utc: nowUtc,
    }));
    try {
      await tx.insertMany(TABLES.images, rows);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !tx.dialect.isDuplicate(error)) throw error;
    }
  }
}

/** Each failed attempt means that another transaction was faster. */
const MAX_ATTEMPTS = 50;

async function findIdsByUrl(sql: Sql, urls: readonly string[]): Promise<Map<string, number>> {
  if (urls.length === 0) return new Map();
  const byHash = new Map(urls.map((url) => [urlHash(url), url]));
  const where = isOneOf('url_hash', [...byHash.keys()]);
  const rows = await sql.query<{ id: number; url_hash: string }>(
    `SELECT id, url_hash FROM ${TABLES.images} WHERE ${where.sql}`,
    where.params,
  );
  return new Map(rows.map(({ id, url_hash }) => [byHash.get(url_hash)!, id]));
}

function urlHash(url: string): string {
  return createHash('sha256').update(url).digest('hex');
}
