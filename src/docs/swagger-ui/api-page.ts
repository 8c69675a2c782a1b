import { labelsIn } from './labels.js';
import { assetPath } from './page-assets.stage.js';

/** Where a page of the documentation is shown. */
export interface PagePlace {
  readonly language: string;
  /** The path of the request, which may end with a slash: relative addresses count from there. */
  readonly path: string;
  /** Scheme, host and gateway prefix of the interface: where the page sends what is tried out. */
  readonly origin: string;
}

/**
 * Swagger UI for the document of the same address (contract 13.5). Every address in it is relative, so that it works
 * behind gateways that tell nothing of their prefix.
 */
export function apiPage({ language, path }: PagePlace): string {
  const folder = path.endsWith('/') ? '' : 'doc/';
  const address = (name: Parameters<typeof assetPath>[0]) => `${folder}${assetPath(name)}`;
  const { title, withoutScripts } = PAGE_TEXTS[language] ?? PAGE_TEXTS.en;
  return `<!doctype html>
<html lang="${language in PAGE_TEXTS ? language : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" type="image/png" href="${address('favicon-32x32.png')}">
<link rel="stylesheet" href="${address('swagger-ui.css')}">
<link rel="stylesheet" href="${address('page.css')}">
<script type="application/json" id="labels">${dataBlock(labelsIn(language))}</script>
<script defer src="${address('swagger-ui-bundle.js')}"></script>
<script type="module" src="${address('start.browser.js')}"></script>
</head>
<body>
<main id="swagger-ui"></main>
<noscript><p>${withoutScripts}</p></noscript>
</body>
</html>
`;
}

/**
 * What the page may do: load our own files, show the pictures within the style sheet, and ask the interface. The latter
 * may have another origin than the page where PUBLIC_URL is set and the page was reached by another name.
 */
export function pageHeaders({ origin }: PagePlace): Record<string, string> {
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

/** JSON that no script element ends in. */
function dataBlock(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

/** What the page says itself, by language. */
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
