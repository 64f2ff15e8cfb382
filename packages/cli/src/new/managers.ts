/**
 * Package managers: which one is meant, and what of a project differs with it. Starts none: see `steps.ts`.
 */
import { CommandError } from '../errors.ts';
import { nearest } from '../suggest.ts';

export const managers = ['npm', 'pnpm', 'yarn', 'bun'] as const;
export type Manager = (typeof managers)[number];

export function toManager(word: string): Manager {
  const found = managers.find((name) => name === word);
  if (found !== undefined) return found;
  const near = nearest(word, managers);
  const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
  throw new CommandError('FULMAR_CLI_INVALID_VALUE', `--package-manager needs one of ${managers.join(', ')}; got "${word}".${hint}`);
}

/** The one that runs this command, as all of them say (`pnpm/10.1.0 npm/? node/v26.0.0 …`). */
export function detectManager(userAgent: string | undefined): Manager {
  const name = /^[a-z]+(?=\/)/.exec(userAgent ?? '')?.[0];
  return managers.find((one) => one === name) ?? 'npm';
}

/** What the image of the Dockerfile has to do; npm is in it already. */
const inImage: Readonly<Record<Manager, string>> = {
  npm: 'npm ci && npm run build',
  pnpm: 'npm install -g pnpm && pnpm install --frozen-lockfile && pnpm run build',
  yarn: 'npm install -g yarn && yarn install --frozen-lockfile && yarn run build',
  bun: 'npm install -g bun && bun install --frozen-lockfile && bun run build',
};

/** A README whose commands are those of the package manager; templates have npm's. */
export function toReadme(text: string, manager: Manager): string {
  if (manager === 'npm') return text;
  return text.replaceAll(/`npm (?:run )?(\w+)`/g, `\`${manager} run $1\``).replaceAll('npx fulmar', `${runner[manager]} fulmar`);
}

const runner: Readonly<Record<Manager, string>> = { npm: 'npx', pnpm: 'pnpm exec', yarn: 'yarn run', bun: 'bunx' };

export function toDockerfile(text: string, manager: Manager): string {
  return text.replace(inImage.npm, inImage[manager]);
}
