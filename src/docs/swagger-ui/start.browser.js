// Shows Swagger UI for the document that this very address answers to programs. Runs in the browser.

import { readyToTry } from './document.browser.js';
import { translatePage } from './labels.browser.js';

const { SwaggerUIBundle } = /** @type {{ SwaggerUIBundle: (options: object) => unknown }} */ (
  /** @type {unknown} */ (globalThis)
);

/** What Swagger UI lets its plugins change: https://swagger.io/docs/open-source-tools/swagger-ui/customization/plug-points/ */
const ready = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec:
          (/** @type {(document: object) => unknown} */ update) =>
          (/** @type {Parameters<typeof readyToTry>[0]} */ document) =>
            update(readyToTry(document)),
      },
    },
  },
  // It links to the address of the page, which shows the page.
  wrapComponents: { InfoUrl: () => () => null },
});

translatePage();
SwaggerUIBundle({
  url: location.pathname,
  dom_id: '#swagger-ui',
  plugins: [ready],
  deepLinking: true,
  docExpansion: 'list',
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // A token that stays in the browser is a token that is found there.
  persistAuthorization: false,
  validatorUrl: null,
});
