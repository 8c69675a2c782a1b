import { readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { isUrl } from '../kernel/text/url.js';
import { check } from './setting-decorators.js';

const MAX_LOGO_BYTES = 100_000;
const MAX_CSS_BYTES = 64 * 1024;
const MAX_LINKS = 8;

/** The default of SITE_REGION. */
const DEFAULT_REGION = 'GB';

/** A link in the footer of the pages. */
export interface SiteLink {
  readonly name: string;
  readonly href: string;
}

export const IsLogoFile = () =>
  check('isLogoFile', isLogo, `must be the path of an SVG, PNG or WebP file of at most ${MAX_LOGO_BYTES} bytes`);

export const IsCssFile = () =>
  check('isCssFile', isCss, `must be the path of a CSS file in UTF-8 of at most ${MAX_CSS_BYTES} bytes`);

export const IsLinkList = () =>
  check(
    'isLinkList',
    (value) => Array.isArray(value) && value.length <= MAX_LINKS && value.every((item) => linkOf(String(item))),
    `must be at most ${MAX_LINKS} links such as Imprint=https://example.com/imprint, with http, https or mailto`,
  );

export const IsRegion = () => check('isRegion', isRegion, 'must be a country by its two letters, such as GB or US');

/** Returns a link of `Name=URL`, or undefined if it is none. */
export function linkOf(item: string): SiteLink | undefined {
  const [, name = '', href = ''] = /^([^=]+)=(.+)$/.exec(item.trim()) ?? [];
  const isAllowed = /^(https?:\/\/[^/\s]|mailto:[^\s@]+@)/i.test(href) && isUrl(href);
  return name.trim() !== '' && isAllowed ? { name: name.trim(), href } : undefined;
}

function isLogo(path: unknown): boolean {
  return ['.svg', '.png', '.webp'].includes(extname(String(path)).toLowerCase()) && hasAtMost(path, MAX_LOGO_BYTES);
}

function isCss(path: unknown): boolean {
  if (!hasAtMost(path, MAX_CSS_BYTES)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(String(path)));
    return true;
  } catch {
    return false;
  }
}

function hasAtMost(path: unknown, maxBytes: number): boolean {
  try {
    const file = statSync(String(path));
    return file.isFile() && file.size <= maxBytes;
  } catch {
    return false;
  }
}

/** Whether a code is a country: Intl names only those it knows. Loading the names would take 3 % of every start. */
function isRegion(value: unknown): boolean {
  const code = String(value);
  if (code === DEFAULT_REGION) return true;
  return /^[A-Z]{2}$/.test(code) && new Intl.DisplayNames('en', { type: 'region' }).of(code) !== code;
}
