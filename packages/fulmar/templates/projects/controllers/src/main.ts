/** Listens on PORT, or on 3000. */
import { NestFactory } from 'fulmar/controllers';
import { AppModule } from './app.module';

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule);
  // At SIGTERM: no new connections, what is being answered finishes, then the classes are told.
  app.enableShutdownHooks();
  await app.listen(process.env['PORT'] ?? 3000);
  console.log(`listening on ${await app.getUrl()}`);
}

void main();
