import { Module, type OnApplicationShutdown } from 'fulmar/controllers';
import { HealthController } from './health/health.controller';
import { NotesModule } from './notes/notes.module';

@Module({
  imports: [NotesModule],
  controllers: [HealthController],
})
export class AppModule implements OnApplicationShutdown {
  /** Close what the application holds open here: a database, say. */
  onApplicationShutdown(): void {
    console.log('closed');
  }
}
