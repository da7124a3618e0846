// Starts Swagger UI on the reference page. Runs in the browser.

/** @type {(options: object) => unknown} */
const startSwaggerUi = Reflect.get(globalThis, 'SwaggerUIBundle');
/** @type {{ hash: string }} */
const address = Reflect.get(globalThis, 'location');

/** The demo's page names its public key, so that "Try it out" works at once. */
const demoKey = Reflect.get(Object(globalThis), 'document').getElementById('reference').dataset.apiKey;

const swagger = startSwaggerUi({
  url: 'v1/openapi.json',
  dom_id: '#reference',
  // Swagger UI would take the anchor of an error code for one of its own and leave it.
  deepLinking: !address.hash.startsWith('#error'),
  validatorUrl: null,
  supportedSubmitMethods: ['get'],
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  onComplete: () => demoKey && Reflect.get(Object(swagger), 'preauthorizeApiKey')('keyHeader', demoKey),
});
