// Shows Swagger UI for the document of the same URL. Runs in the browser.

import { COMPONENTS } from './components.browser.js';
import { prepared } from './document.browser.js';
import { opsFilter } from './filter.browser.js';
import { translatePage } from './labels.browser.js';

/**
 * @typedef {{
 *   show(key: string[], isShown: boolean): void, updateFilter(text: string): void
 * }} LayoutActions
 */
const { SwaggerUIBundle } =
  /** @type {{ SwaggerUIBundle: (options: object) => { readonly layoutActions: LayoutActions } }} */ (
    /** @type {unknown} */ (globalThis)
  );

/** A plugin of Swagger UI: https://swagger.io/docs/open-source-tools/swagger-ui/customization/plug-points/ */
const ours = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec:
          (/** @type {(document: object) => unknown} */ update) =>
          (/** @type {Parameters<typeof prepared>[0]} */ document) =>
            update(prepared(document)),
      },
    },
  },
  wrapComponents: COMPONENTS,
  fn: { opsFilter },
});

followTheme();
translatePage();
const { layoutActions } = SwaggerUIBundle({
  url: location.pathname,
  dom_id: '#swagger-ui',
  plugins: [ours],
  deepLinking: true,
  docExpansion: 'list',
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // Other users of the browser could find a stored token.
  persistAuthorization: false,
  validatorUrl: null,
});
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null) return;
  // The other language opens at the same operation.
  if (link.closest('nav') !== null) link.hash = location.hash;
  if (link.closest('.renderedMarkdown') === null || !link.getAttribute('href')?.startsWith('#/')) return;
  event.preventDefault();
  showOperation(link.hash);
});

/** Uses the dark colours of Swagger UI while the system is dark. */
function followTheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', follow);
  follow();
}

/**
 * Opens an operation and scrolls to it.
 *
 * @param {string} hash `#/Events/listEvents`
 */
function showOperation(hash) {
  const [tag = '', id = ''] = hash.slice('#/'.length).split('/').map(decodeURIComponent);
  layoutActions.updateFilter('');
  layoutActions.show(['operations-tag', tag], true);
  layoutActions.show(['operations', tag, id], true);
  requestAnimationFrame(() => document.querySelector(`[id$="-${CSS.escape(id)}"]`)?.scrollIntoView());
}
