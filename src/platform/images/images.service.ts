import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Sql } from '../../database/dialect.js';
import { recallRecords } from '../../database/reading.js';
import { TABLES } from '../../database/tables.js';
import type { Transaction } from '../../database/transaction.js';
import type { UtcTime } from '../../kernel/calendar-time.js';
import { type Caller, can } from '../../kernel/caller.js';
import { isOneOf } from '../../kernel/condition.js';
import { Environment } from '../config/environment.js';
import type { Problems } from '../errors/problems.js';
import type { ImageRow } from './image.entity.js';
import { type ImageMeasures, INTERNET, type Network, probeImage } from './image-probe.js';
import type { ImageReference } from './image.reference.js';

/** Images are known by URL, one record for each, and never deleted (contract section 8, "Image"). */
@Injectable()
export class ImagesService {
  /** Where probes go; replaced in tests. */
  network: Network = INTERNET;

  constructor(
    private readonly environment: Environment,
    private readonly database: Database,
  ) {}

  /** Notes what is wrong with the image of a write, under the name of its parameter. */
  async check(
    sql: Sql,
    reference: ImageReference | null | undefined,
    caller: Caller,
    problems: Problems,
    name: string,
  ): Promise<void> {
    if (hasUrl(reference)) {
      // contract AUTH-12: also where the URL is stored already, so that the answer does not tell whether it is.
      if (!can(caller, 'add_images')) problems.add(name, 'rest_not_allowed', 'has a value you are not allowed to use.');
    } else if (hasId(reference) && !(await this.findMany(sql, [reference.id])).has(reference.id)) {
      problems.addUnknown(name, [reference.id]);
    }
  }

  /**
   * With IMAGE_PROBE: what the net tells of a URL that is not stored yet, or a note that it is no image (contract
   * EV-NEW-07). Takes seconds, so it belongs before the transaction.
   */
  async probe(
    reference: ImageReference | null | undefined,
    caller: Caller,
    problems: Problems,
    name: string,
  ): Promise<ImageMeasures | undefined> {
    if (!this.environment.IMAGE_PROBE || !hasUrl(reference) || !can(caller, 'add_images')) return undefined;
    if ((await findIdByUrl(this.database, reference.url)) !== undefined) return undefined;
    const measures = await probeImage(reference.url, this.network);
    if (measures === undefined) problems.add(name, 'rest_invalid_image', 'is not a valid image.');
    return measures;
  }

  /** The id of the image that a checked reference names; the record of a new URL is made. */
  async store(
    tx: Transaction,
    reference: ImageReference | null,
    measures: ImageMeasures | undefined,
    nowUtc: UtcTime,
  ): Promise<number | null> {
    if (hasId(reference)) return reference.id;
    if (!hasUrl(reference)) return null;
    return (await findIdByUrl(tx, reference.url)) ?? insertOnce(tx, reference.url, measures, nowUtc);
  }

  /** The images of these ids, by id. */
  async findMany(sql: Sql, ids: readonly number[]): Promise<Map<number, ImageRow>> {
    return recallRecords(sql, TABLES.images, ids, (database, missing) => {
      const where = isOneOf('id', missing);
      return database.query<ImageRow>(`SELECT * FROM ${TABLES.images} WHERE ${where.sql}`, where.params);
    });
  }
}

function hasId(reference: ImageReference | null | undefined): reference is { id: number } {
  return typeof reference === 'object' && reference !== null && 'id' in reference;
}

function hasUrl(reference: ImageReference | null | undefined): reference is { url: string } {
  return typeof reference === 'object' && reference !== null && 'url' in reference;
}

/** Another transaction may store the same URL at the same moment: the later one takes the record of the first. */
async function insertOnce(
  tx: Transaction,
  url: string,
  measures: ImageMeasures | undefined,
  nowUtc: UtcTime,
): Promise<number> {
  try {
    return await tx.insert(TABLES.images, {
      url,
      url_hash: urlHash(url),
      width: measures?.width ?? null,
      height: measures?.height ?? null,
      filesize: measures?.filesize ?? null,
      created_utc: nowUtc,
    });
  } catch (error) {
    const stored = tx.dialect.isDuplicate(error) ? await findIdByUrl(tx, url) : undefined;
    if (stored === undefined) throw error;
    return stored;
  }
}

async function findIdByUrl(sql: Sql, url: string): Promise<number | undefined> {
  const [image] = await sql.query<{ id: number }>(`SELECT id FROM ${TABLES.images} WHERE url_hash = ?`, [urlHash(url)]);
  return image?.id;
}

function urlHash(url: string): string {
  return createHash('sha256').update(url).digest('hex');
}
