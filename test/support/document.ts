import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { RouteTable } from '../../src/platform/http/routing/route-table.js';

/**
 * Returns the OpenAPI document of an application. Building it takes 0.2 seconds and every test file needs it, so
 * it is cached in a file until a source changes.
 */
export async function documentOf(app: INestApplication): Promise<object> {
  const sources = fingerprint();
  const kept = join(tmpdir(), `kalends-document-${digest(resolve('.'))}.json`);
  const known = read(kept);
  if (known?.sources === sources) return known.document;
  const { openApiDocument } = await import('../../src/docs/openapi.js');
  const document = openApiDocument(app, app.get(RouteTable).all());
  const written = `${kept}.${process.pid}`;
  writeFileSync(written, JSON.stringify({ sources, document }));
  renameSync(written, kept);
  return document;
}

function read(file: string): { sources: string; document: object } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { sources: string; document: object };
  } catch {
    return undefined;
  }
}

function fingerprint(): string {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((name) => join('src', name));
  const states = ['package-lock.json', ...files].map((file) => {
    const state = statSync(file, { throwIfNoEntry: false });
    return `${file} ${state?.mtimeMs} ${state?.size}`;
  });
  return digest(states.join('\n'));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
