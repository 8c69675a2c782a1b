import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file that the page of the documentation loads. */
export interface PageAsset {
  readonly name: AssetName;
  readonly folder: string;
  readonly contentType: string;
  /** Names the content: part of the address, so that a copy never grows old. */
  readonly digest: string;
}

const require = createRequire(import.meta.url);
const SWAGGER_UI = dirname(require.resolve('swagger-ui-dist/package.json'));
const OURS = dirname(fileURLToPath(import.meta.url));

const FOLDERS = {
  'favicon-32x32.png': SWAGGER_UI,
  'swagger-ui.css': SWAGGER_UI,
  'page.css': OURS,
  'swagger-ui-bundle.js': SWAGGER_UI,
  'start.browser.js': OURS,
} as const;
export type AssetName = keyof typeof FOLDERS;

const CONTENT_TYPES: Record<string, string> = {
  png: 'image/png',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
};

let known: ReadonlyMap<string, PageAsset> | undefined;

/** The address of a file, relative to `/doc/`: `assets/3f9a…/swagger-ui.css`. */
export function assetPath(name: AssetName): string {
  const { digest } = [...assets().values()].find((asset) => asset.name === name) as PageAsset;
  return `assets/${digest}/${name}`;
}

/** The file of a path below the mount, if it is one. */
export function findAsset(routePath: string): PageAsset | undefined {
  return routePath.startsWith('/doc/assets/') ? assets().get(routePath) : undefined;
}

/** Read when the first page is asked for: most starts of the application show none. */
function assets(): ReadonlyMap<string, PageAsset> {
  known ??= new Map(Object.entries(FOLDERS).map(([name, folder]) => entry(name as AssetName, folder)));
  return known;
}

function entry(name: AssetName, folder: string): [string, PageAsset] {
  const digest = createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex')
    .slice(0, 16);
  const contentType = CONTENT_TYPES[name.split('.').at(-1) as string] as string;
  return [`/doc/assets/${digest}/${name}`, { name, folder, contentType, digest }];
}
