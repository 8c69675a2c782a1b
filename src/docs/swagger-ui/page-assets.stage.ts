import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { isAnonymous } from '../../kernel/caller.js';
import { PipelineStage, type Stage } from '../../platform/http/pipeline/stage.js';
import type { KalendsRequest } from '../../platform/http/request.js';
import { Content } from '../../platform/http/responses/content.js';
import { sendTagged } from '../../platform/http/responses/send.js';

/**
 * Serves the files of the documentation's page below `/doc/assets`. They are no part of the interface, so the table of
 * routes, and with it the index, does not know them; whatever else is asked of such a path is an unknown route.
 */
@Injectable()
@PipelineStage('before-route')
export class PageAssetsStage implements Stage {
  handle(request: KalendsRequest, response: Response): boolean | Promise<boolean> {
    const asset = ['GET', 'HEAD'].includes(request.method) ? findAsset(request.routePath ?? '') : undefined;
    if (asset === undefined) return false;
    response.set('Cache-Control', caching(request));
    const { content, contentType: type, digest } = asset;
    const cacheContent = (both: Content) => (asset.content = both);
    return sendTagged(response, 200, content, { type, tag: `"${digest}"`, cacheContent }).then(() => true);
  }
}

/** The address changes with the content; answers under a foreign host are nobody's to keep (contract section 1). */
function caching({ context, apiBaseUrl }: KalendsRequest): string {
  const shared = isAnonymous(context.caller) && apiBaseUrl.isCacheable;
  return shared ? 'public, max-age=31536000, immutable' : 'private, no-store';
}

/** A file that the page of the documentation loads. */
interface PageAsset {
  readonly name: string;
  /** With its gzipped form from the first time that it was asked for. */
  content: Content;
  readonly contentType: string;
  /** Names the content of the folder: part of the address, so that a copy never grows old. */
  readonly digest: string;
}

const require = createRequire(import.meta.url);
const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));
const OURS = dirname(fileURLToPath(import.meta.url));

/** By folder: the files of one may refer to each other. */
const FILES = [
  [SWAGGER_UI, ['favicon-32x32.png', 'swagger-ui.css', 'swagger-ui-bundle.js']],
  [OURS, ['page.css', 'document.browser.js', 'labels.browser.js', 'start.browser.js']],
] as const;
type AssetName = (typeof FILES)[number][1][number];

const CONTENT_TYPES: Record<string, string> = {
  png: 'image/png',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

let known: readonly PageAsset[] | undefined;

/** The address of a file below `/doc/`: `assets/3f9a…/swagger-ui.css`. */
export function assetPath(name: AssetName): string {
  const asset = assets().find((one) => one.name === name) as PageAsset;
  return pathOf(asset);
}

/** The file of a path below the mount, if it is one. */
function findAsset(routePath: string): PageAsset | undefined {
  return routePath.startsWith('/doc/') ? assets().find((asset) => routePath === `/doc/${pathOf(asset)}`) : undefined;
}

function pathOf({ digest, name }: PageAsset): string {
  return `assets/${digest}/${name}`;
}

/** Read when the first page is asked for: most starts of the application show none. */
function assets(): readonly PageAsset[] {
  known ??= FILES.flatMap(([folder, names]) => {
    const files = names.map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
    const digest = digestOf(files.map(({ bytes }) => bytes));
    return files.map(({ name, bytes }) => ({
      name,
      content: Content.ofBytes(bytes),
      digest,
      contentType: contentTypeOf(name),
    }));
  });
  return known;
}

function digestOf(contents: readonly Buffer[]): string {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  return hash.digest('hex').slice(0, 16);
}

function contentTypeOf(name: string): string {
  return CONTENT_TYPES[name.split('.').at(-1) as string] as string;
}
