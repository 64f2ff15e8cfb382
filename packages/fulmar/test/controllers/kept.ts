/**
 * Applications of a test file, closed behind each test.
 */
import { afterEach } from 'node:test';

interface Closable {
  close(): Promise<void>;
}

const open: Closable[] = [];

afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

export function kept<T extends Closable>(app: T): T {
  open.push(app);
  return app;
}
