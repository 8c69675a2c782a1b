// Starts Swagger UI on the document that this very address answers to programs. Runs in the browser.

const { SwaggerUIBundle } = /** @type {{ SwaggerUIBundle: (options: object) => unknown }} */ (
  /** @type {unknown} */ (globalThis)
);

SwaggerUIBundle({
  url: location.pathname,
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // A token that stays in the browser is a token that is found there.
  persistAuthorization: false,
  validatorUrl: null,
});
