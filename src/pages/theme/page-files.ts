import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { Content } from '../../platform/http/responses/content.js';
import { favicon } from './favicon.js';
import { MARK } from './mark.js';

/** A file that pages refer to. */
export interface PageFile {
  /** Below the home of the site: `/pages/pages-3f9a….css`. */
  readonly path: string;
  readonly type: string;
  readonly digest: string;
  /** Whether the path changes with the content. */
  readonly isVersioned: boolean;
  /** Contains the gzipped form after the first request for it. */
  content: Content;
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
};
const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** The style sheets, the logo, the icons and the scripts of `/embed/`. The settings name some of them. */
@Injectable()
export class PageFiles {
  readonly css: string;
  readonly siteCss: string | undefined;
  readonly logo: string | undefined;
  readonly frameScript = '/embed-frame.js';
  private readonly files: ReadonlyMap<string, PageFile>;

  constructor({ SITE_CSS, SITE_LOGO }: Environment) {
    const css = versioned('pages.css', compact(readFileSync(join(FOLDER, 'pages.css'), 'utf8')));
    const siteCss = SITE_CSS === undefined ? undefined : versioned('site.css', readFileSync(SITE_CSS));
    const logo =
      SITE_LOGO === undefined
        ? undefined
        : versioned(`logo${extname(SITE_LOGO).toLowerCase()}`, readFileSync(SITE_LOGO));
    const files = [
      css,
      siteCss,
      logo,
      file('/favicon.svg', Buffer.from(MARK)),
      file('/favicon.ico', favicon()),
      file('/embed.js', readFileSync(join(FOLDER, 'embed.browser.js'))),
      file('/embed-frame.js', readFileSync(join(FOLDER, 'embed-frame.browser.js'))),
    ];
    this.files = new Map(files.filter((one) => one !== undefined).map((one) => [one.path, one]));
    [this.css, this.siteCss, this.logo] = [css.path, siteCss?.path, logo?.path];
  }

  find(path: string): PageFile | undefined {
    return this.files.get(path);
  }
}

function versioned(name: string, bytes: Buffer): PageFile {
  const extension = extname(name);
  const path = `/pages/${name.slice(0, -extension.length)}-${digestOf(bytes)}${extension}`;
  return { ...file(path, bytes), isVersioned: true };
}

/** Leaves out comments and blanks of our own style sheet: a fifth of its bytes. Its texts contain none of these marks. */
function compact(css: string): Buffer {
  const [head = '', ...others] = css.split('/*');
  const uncommented = [head, ...others.map((part) => part.slice(part.indexOf('*/') + 2))].join('');
  const lines = uncommented.split('\n').map((line) => line.trim());
  let marks = lines.filter((line) => line !== '').join(' ');
  for (const mark of '{};,') marks = marks.replaceAll(` ${mark}`, mark).replaceAll(`${mark} `, mark);
  return Buffer.from(marks.replaceAll(': ', ':').replaceAll(';}', '}'));
}

function file(path: string, bytes: Buffer): PageFile {
  const type = TYPES[extname(path)] as string;
  return { path, type, digest: digestOf(bytes), isVersioned: false, content: Content.ofBytes(bytes) };
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}
