/** The application: its modules, and what stands around all of them. Tests make the same of modules with substitutes. */
import { type NestApplication, NestFactory, VersioningType } from 'fulmar/controllers';
import { DocumentBuilder, SwaggerModule } from 'fulmar/controllers/openapi';
import { accessLog, securityHeaders } from 'fulmar/middleware';
import { AppModule } from './app.module.ts';
import type { Settings } from './settings/settings.ts';

export async function createArchive(settings: Settings): Promise<NestApplication> {
  // Behind a proxy on this machine, whose word on addresses counts.
  const options = settings.isHttps ? { trustProxy: 'loopback' as const } : {};
  return furnish(await NestFactory.create(AppModule.with(settings), options), settings);
}

/** Paths, versions, the log, the document: all that is no module's. */
export function furnish(app: NestApplication, { isHttps, logsRequests }: Settings): NestApplication {
  app.disable('x-powered-by');
  // Around everything, the page of the document too. Probes are in no log.
  const log = accessLog();
  if (logsRequests) app.app.use((c, next) => (c.pathname.startsWith('/health/') ? next() : log(c, next)));
  // Over plain HTTP a browser is not told to come back by https.
  app.app.use(
    securityHeaders(isHttps ? {} : { contentSecurityPolicy: { upgradeInsecureRequests: false }, strictTransportSecurity: false }),
  );
  app.setGlobalPrefix('api', { exclude: ['health/live', 'health/ready'] });
  app.enableVersioning({ type: VersioningType.URI });
  addDocument(app);
  return app;
}

function addDocument(app: NestApplication): void {
  const config = new DocumentBuilder()
    .setTitle('Archive')
    .setDescription('Accounts with roles, their files, and a feed of what happens to them.')
    .setVersion('1.0.0')
    .addBearerAuth()
    .build();
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, config));
}
