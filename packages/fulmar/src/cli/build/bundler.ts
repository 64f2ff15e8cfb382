/**
 * Runs the bundler for one entry of an application: what all kinds of built files have in common.
 */
import type { OutputChunk, OutputOptions, RolldownLog } from 'rolldown';
import { createAliaser } from '../aliases.ts';
import { CliError } from '../errors.ts';
import { toHookSettings } from '../settings.ts';
import { createPlugin, VIRTUAL } from './plugin.ts';
import type { Findings } from './problems.ts';
import type { Project } from './project.ts';
import type { Target } from './target.ts';

export interface BundlerInput {
  readonly project: Project;
  readonly binFile: string;
  readonly alias: boolean;
  readonly minify: boolean;
  readonly findings: Findings;
  readonly target: Target;
  /** Code of the module that runs before the application's. */
  readonly boot: string;
  readonly onEntry: (file: string) => void;
  /** `resolved`: what `require.resolve` found, `importer\nspecifier` → place. */
  readonly output: (resolved: Readonly<Record<string, string>>) => OutputOptions;
}

/** What sources may import besides code: their text. */
const textTypes = Object.fromEntries(
  ['.txt', '.md', '.html', '.sql', '.graphql', '.gql', '.css', '.svg', '.xml'].map((end) => [end, 'text' as const]),
);

/** Rejects with a `CliError`, whose cause is the bundler's error. */
export async function runBundler(input: BundlerInput): Promise<OutputChunk> {
  const { rolldown } = await import('rolldown');
  const { project, findings, target, onEntry } = input;
  const virtual = new Map<string, string>();
  const resolved: Record<string, string> = {};
  const settings = toHookSettings(input.binFile, { alias: input.alias, verbose: false });
  const cliFile = settings.bundleFile;
  const alias = settings.targets === null ? undefined : createAliaser(settings.targets);
  virtual.set(`${VIRTUAL}entry`, `import ${JSON.stringify(`${VIRTUAL}boot`)};\nimport ${JSON.stringify(project.entry)};\n`);
  virtual.set(`${VIRTUAL}boot`, input.boot);
  try {
    const build = await rolldown({
      input: `${VIRTUAL}entry`,
      cwd: project.root,
      platform: 'node',
      tsconfig: false,
      moduleTypes: textTypes,
      shimMissingExports: false,
      resolve: { mainFields: ['main'], extensions: ['.js', '.json', '.node'] },
      plugins: [createPlugin({ project, findings, target, alias, cliFile, virtual, resolved, onEntry })],
      onLog: onlyErrors,
    });
    const { output } = await build.generate({
      codeSplitting: false,
      minify: input.minify,
      keepNames: input.minify,
      ...input.output(resolved),
    });
    await build.close();
    return output[0];
  } catch (error) {
    throw toCliError(error);
  }
}

/** What is worth telling about modules, `Findings` tells. */
function onlyErrors(level: string, log: RolldownLog): void {
  if (level === 'error') throw new CliError('FULMAR_CLI_BUILD_FAILED', log.message);
}

function toCliError(error: unknown): unknown {
  if (error instanceof CliError) return error;
  const errors = (error as { errors?: readonly Error[] }).errors ?? [error as Error];
  const own = errors.find((item) => (item as { code?: string }).code?.startsWith('FULMAR_CLI_'));
  if (own !== undefined) return own;
  const isSyntax = errors.some((item) => (item as { code?: string }).code === 'PARSE_ERROR');
  const text = errors.map(({ message }) => message.trim()).join('\n\n');
  return new CliError(isSyntax ? 'FULMAR_CLI_SYNTAX' : 'FULMAR_CLI_BUILD_FAILED', `cannot bundle the application:\n\n${text}`, {
    cause: error,
  });
}
