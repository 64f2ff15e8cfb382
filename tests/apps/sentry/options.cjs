// What is told to Sentry, however it is loaded.
'use strict';

exports.options = {
  dsn: process.env.SENTRY_DSN,
  release: 'shop@1.2.3',
  environment: 'tests',
  sendDefaultPii: true,
  maxBreadcrumbs: 20,
  tracesSampler: ({ attributes }) => (String(attributes?.['http.target'] ?? attributes?.['url.path']).startsWith('/debug') ? 0 : 1),
  beforeSend: (event) => (event.exception?.values?.some(({ value }) => value === 'never told') ? null : event),
};
