/** `Database`, where there is one. Without, repositories are those in memory, and the log says so. */
import { type Abstract, type DynamicModule, type FactoryProvider, Logger, Module, type Type } from 'fulmar/controllers';
import type { Settings } from '../settings/settings.ts';
import { Database } from './database.ts';

@Module({})
export class DatabaseModule {
  static of({ databaseUrl }: Settings): DynamicModule {
    if (databaseUrl !== null) return { module: DatabaseModule, global: true, providers: [Database], exports: [Database] };
    new Logger('Database').warn('DATABASE_URL is not set: everything is kept in memory and is gone at the end.');
    return { module: DatabaseModule };
  }
}

/** A repository by its abstract class, of the kind that this process has. */
export const repository = <T>(token: Abstract<T>, kinds: { postgres: Type<T>; memory: Type<T> }): FactoryProvider<T> => ({
  provide: token,
  inject: [{ token: Database, optional: true }],
  useFactory: (database?: Database) => (database === undefined ? new kinds.memory() : new kinds.postgres(database)),
});
