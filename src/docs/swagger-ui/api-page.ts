import { labelsIn } from './labels.js';
import { assetPath } from './page-assets.stage.js';

/** The URL and language of a documentation page. */
export interface PageLocation {
  readonly language: string;
  /** The path of the request, with its trailing slash if it has one: relative URLs depend on it. */
  readonly path: string;
  /** Scheme, host and proxy prefix of the interface, to which the page sends requests. */
  readonly origin: string;
}

/**
 * Returns the page that shows the document of the same URL in Swagger UI (contract 13.5). All URLs in it are relative,
 * so that it works behind proxies that do not forward their prefix.
 */
export function apiPage({ language, path }: PageLocation): string {
  const folder = path.endsWith('/') ? '' : 'doc/';
  const urlOf = (name: Parameters<typeof assetPath>[0]) => `${folder}${assetPath(name)}`;
  const { title, withoutScripts } = PAGE_TEXTS[language] ?? PAGE_TEXTS.en;
  return `<!doctype html>
<html lang="${language in PAGE_TEXTS ? language : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" type="image/png" href="${urlOf('favicon-32x32.png')}">
<link rel="stylesheet" href="${urlOf('swagger-ui.css')}">
<link rel="stylesheet" href="${urlOf('page.css')}">
<script type="application/json" id="labels">${dataBlock(labelsIn(language))}</script>
<script defer src="${urlOf('swagger-ui-bundle.js')}"></script>
<script type="module" src="${urlOf('start.browser.js')}"></script>
</head>
<body>
<main id="swagger-ui"></main>
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

/** Returns JSON that cannot end a script element. */
function dataBlock(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** The page's own texts. */
interface PageTexts {
  readonly title: string;
  readonly withoutScripts: string;
}

const EN: PageTexts = {
  title: 'Kalends: the interface',
  withoutScripts: 'This page needs JavaScript. Programs get the OpenAPI document from the same address.',
};

const PAGE_TEXTS: Readonly<Record<string, PageTexts>> & { readonly en: PageTexts } = {
  en: EN,
  de: {
    title: 'Kalends: die Schnittstelle',
    withoutScripts: 'Diese Seite braucht JavaScript. Programme bekommen das OpenAPI-Dokument unter derselben Adresse.',
  },
  fr: {
    title: 'Kalends : l’interface',
    withoutScripts:
      'Cette page a besoin de JavaScript. Les programmes reçoivent le document OpenAPI à la même adresse.',
  },
};
