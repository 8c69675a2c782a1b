import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { isAnonymous } from '../../kernel/caller.js';
import { PipelineStage, type Stage } from '../../platform/http/pipeline/stage.js';
import type { KalendsRequest } from '../../platform/http/request.js';
import { Content } from '../../platform/http/responses/content.js';
import { sendTagged } from '../../platform/http/responses/send.js';

/**
 * Serves the files of the documentation page below `/doc/assets`. They are not in the route table, so that the index
 * does not list them. Other methods and paths there are unknown routes.
 */
@Injectable()
@PipelineStage('before-route')
export class PageAssetsStage implements Stage {
  handle(request: KalendsRequest, response: Response): boolean | Promise<boolean> {
    const asset = ['GET', 'HEAD'].includes(request.method) ? findAsset(request.routePath ?? '') : undefined;
    return asset === undefined ? false : sendAsset(asset, request, response);
  }

  isRepeatable(): boolean {
    return true;
  }
}

const gzipInThread = promisify(gzip);

/** Sends a file. Compresses it once, as far as gzip can, because it never changes. */
async function sendAsset(asset: PageAsset, request: KalendsRequest, response: Response): Promise<boolean> {
  response.set('Cache-Control', cacheControl(request));
  if (asset.content.gzipped === undefined)
    asset.content = asset.content.withGzipped(await gzipInThread(asset.content.bytes, { level: 9 }));
  await sendTagged(response, 200, asset.content, { type: asset.contentType, tag: `"${asset.digest}"` });
  return true;
}

/** Caches for a year, because the URL changes with the content. Not for unknown hosts (contract section 1). */
function cacheControl({ context, apiBaseUrl }: KalendsRequest): string {
  const shared = isAnonymous(context.caller) && apiBaseUrl.isCacheable;
  return shared ? 'public, max-age=31536000, immutable' : 'private, no-store';
}

/** A file of the documentation page. */
interface PageAsset {
  readonly name: string;
  /** Contains the gzipped form after the first request for it. */
  content: Content;
  readonly contentType: string;
  /** Digest of the folder's content. Part of the URL, so that cached copies never become stale. */
  readonly digest: string;
}

const require = createRequire(import.meta.url);
const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));
const OURS = dirname(fileURLToPath(import.meta.url));

/** By folder, because the files of a folder may refer to each other and so share a digest. */
const FILES = [
  [SWAGGER_UI, ['favicon-32x32.png', 'swagger-ui.css', 'swagger-ui-bundle.js']],
  [
    OURS,
    [
      'page.css',
      'components.browser.js',
      'document.browser.js',
      'filter.browser.js',
      'labels.browser.js',
      'start.browser.js',
    ],
  ],
] as const;
type AssetName = (typeof FILES)[number][1][number];

const CONTENT_TYPES: Record<string, string> = {
  png: 'image/png',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

let cachedAssets: readonly PageAsset[] | undefined;

/** Returns the path of a file below `/doc/`: `assets/3f9a…/swagger-ui.css`. */
export function assetPath(name: AssetName): string {
  const asset = readAssets().find((one) => one.name === name) as PageAsset;
  return pathOf(asset);
}

/** Returns the file of a path below the mount, or undefined. */
function findAsset(routePath: string): PageAsset | undefined {
  return routePath.startsWith('/doc/')
    ? readAssets().find((asset) => routePath === `/doc/${pathOf(asset)}`)
    : undefined;
}

function pathOf({ digest, name }: PageAsset): string {
  return `assets/${digest}/${name}`;
}

/** Reads the files on its first call. */
export function readAssets(): readonly PageAsset[] {
  cachedAssets ??= FILES.flatMap(([folder, names]) => {
    const files = names.map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
    const digest = digestOf(files.map(({ bytes }) => bytes));
    return files.map(({ name, bytes }) => ({
      name,
      content: Content.ofBytes(bytes),
      digest,
      contentType: contentTypeOf(name),
    }));
  });
  return cachedAssets;
}

function digestOf(contents: readonly Buffer[]): string {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  return hash.digest('hex').slice(0, 16);
}

function contentTypeOf(name: string): string {
  return CONTENT_TYPES[name.split('.').at(-1) as string] as string;
}
