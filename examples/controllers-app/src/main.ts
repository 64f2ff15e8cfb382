/** The entry: reads the settings, makes the application and listens. How it ends is the runner's part, and that of hooks. */
import { createArchive } from './archive.ts';
import { readSettings, SettingsError } from './settings/settings.ts';

try {
  const settings = readSettings(process.env);
  const archive = await createArchive(settings);
  const server = await archive.listen(settings.port);
  const address = server.address();
  console.log(`listening on http://localhost:${typeof address === 'object' ? address?.port : address}`);
} catch (error) {
  // What an operator has to mend needs no stack.
  console.error(error instanceof SettingsError ? error.message : error);
  process.exitCode = 1;
}
