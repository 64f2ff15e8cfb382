'use strict';

module.exports = {
  uiHost: '127.0.0.1',
  uiPort: Number(process.env.PORT),
  userDir: __dirname,
  flowFile: 'flows.json',
  credentialSecret: 'lighthouse',
  httpAdminRoot: '/admin',
  httpNodeRoot: '/api',
  httpNodeCors: { origin: '*', methods: 'GET,PUT,POST,DELETE' },
  httpStatic: __dirname + '/static',
  httpNodeMiddleware: (req, res, next) => (req.headers['x-stop'] === undefined ? next() : res.status(403).send('stopped')),
  telemetry: { enabled: false, updateNotification: false },
  externalModules: { autoInstall: false, palette: { allowInstall: false } },
  editorTheme: { tours: false },
  diagnostics: { enabled: false },
  logging: { console: { level: 'warn', metrics: false, audit: false } },
};
