// Shows Swagger UI for the document of the same URL. Runs in the browser.

import { readyToTry } from './document.browser.js';
import { translatePage } from './labels.browser.js';

const { SwaggerUIBundle } = /** @type {{ SwaggerUIBundle: (options: object) => unknown }} */ (
  /** @type {unknown} */ (globalThis)
);

/** A plugin of Swagger UI: https://swagger.io/docs/open-source-tools/swagger-ui/customization/plug-points/ */
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
  // Removes the link to the document's URL, because browsers get this page there.
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
  // Other users of the browser could find a stored token.
  persistAuthorization: false,
  validatorUrl: null,
});
