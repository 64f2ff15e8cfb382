/** Which languages run. Starts none: one that nobody has used yet is only looked for. */
import type { App } from 'fulmar';
import { type GuestLanguage, java, python, ruby } from 'fulmar/polyglot';

interface GuestState {
  readonly state: 'running' | 'not started' | 'missing';
  readonly version?: string;
}

export function addHealth(app: App): void {
  app.get('/health', async () => ({ python: await stateOf(python), ruby: await stateOf(ruby), java: await stateOf(java) }));
}

async function stateOf(guest: GuestLanguage): Promise<GuestState> {
  // Versions and no paths: whoever can ask this need not know where things are.
  if (guest.isStarted) return { state: 'running', version: (await guest.describe()).version };
  const { problem, version } = await guest.look();
  return problem === null ? { state: 'not started', ...(version !== null && { version }) } : { state: 'missing' };
}
