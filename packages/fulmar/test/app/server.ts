/**
 * The server of an app under test, on a port that is free.
 */
import type { App, RunningServer } from '../../src/app/index.ts';

export const serverOf = (app: App): Promise<RunningServer> => app.listen({ port: 0, host: '127.0.0.1' });
