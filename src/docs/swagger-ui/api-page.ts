import { labelIn, labelsIn } from './labels.js';
import { assetPath } from './page-assets.stage.js';

/** The URL and language of a documentation page. */
export interface PageLocation {
  readonly language: string;
  /** The path of the request, with its trailing slash if it has one: relative URLs depend on it. */
  readonly path: string;
  /** Scheme, host and proxy prefix of the interface, to which the page sends requests. */
  readonly origin: string;
  /** The mount of the request, with its language prefix if it has one. */
  readonly mount: string;
  /** The mount of every language: the page links the same page in each. */
  readonly mounts: ReadonlyMap<string, string>;
}

/** The languages as their speakers call them. */
const LANGUAGE_NAMES: Readonly<Record<string, string>> = { en: 'English', de: 'Deutsch', fr: 'Français' };

/**
 * Returns the page that shows the document of the same URL in Swagger UI (contract 13.5). All URLs in it are relative,
 * so that it works behind proxies that do not forward their prefix.
 */
export function apiPage(location: PageLocation): string {
  const { language, path } = location;
  const folder = path.endsWith('/') ? '' : 'doc/';
  const urlOf = (name: Parameters<typeof assetPath>[0]) => `${folder}${assetPath(name)}`;
  const title = labelIn(language, 'Kalends: the interface');
  const withoutScripts = labelIn(
    language,
    'This page needs JavaScript. Programs get the OpenAPI document from the same address.',
  );
  return `<!doctype html>
<html lang="${language in LANGUAGE_NAMES ? language : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" type="image/png" href="${urlOf('favicon-32x32.png')}">
<link rel="stylesheet" href="${urlOf('swagger-ui.css')}">
<link rel="stylesheet" href="${urlOf('page.css')}">
<script type="application/json" id="labels">${dataBlock(labelsIn(language))}</script>
<script defer src="${urlOf('swagger-ui-bundle.js')}"></script>
<script type="module" src="${urlOf('start.browser.js')}"></script>
</head>
<body>
${languageLinks(location)}
<div id="swagger-ui"></div>
<noscript><p>${withoutScripts}</p></noscript>
</body>
</html>
`;
}

/**
 * Returns the security headers. The page may load its own files, show `data:` images of the style sheet, and call the
 * interface, whose origin differs from the page's if PUBLIC_URL names another host.
 */
export function pageHeaders({ origin }: PageLocation): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${new URL(origin).origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return { 'Content-Security-Policy': policy.join('; '), 'Referrer-Policy': 'no-referrer' };
}

/** Returns links to the same page in every language, relative like all URLs of the page. */
function languageLinks({ language, path, mount, mounts }: PageLocation): string {
  const levels = mount.split('/').length - 1 + (path.endsWith('/') ? 1 : 0);
  const links = [...mounts].map(([code, other]) => {
    const current = code === language ? ' aria-current="true"' : '';
    const url = `${'../'.repeat(levels)}${other.slice(1)}/doc`;
    return `<a href="${url}" hreflang="${code}" lang="${code}"${current}>${LANGUAGE_NAMES[code] ?? code}</a>`;
  });
  return links.length < 2 ? '' : `<nav aria-label="${labelIn(language, 'Language')}">${links.join(' ')}</nav>`;
}

/** Returns JSON that cannot end a script element. */
function dataBlock(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
