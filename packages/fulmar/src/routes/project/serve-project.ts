/**
 * Opens a project and listens, as the file that a process starts with.
 */
import { relative } from 'node:path';
import type { ConfigEnvironment } from './config-types.ts';
import { openProject, type Project, type ProjectParts } from './create-project.ts';

/** Ends the process with 1 where the project cannot be opened, and says why. What keeps it from listening it rejects with. */
export async function serveProject(environment: ConfigEnvironment, parts: ProjectParts | (() => ProjectParts)): Promise<void> {
  let project: Project;
  try {
    project = await openProject(environment, typeof parts === 'function' ? parts() : parts);
  } catch (error) {
    process.stderr.write(`fulmar: ${whyNot(error)}\n`);
    process.exitCode = 1;
    return;
  }
  const server = await project.listen();
  // A process that has a primary tells it there.
  if (process.send === undefined) process.stderr.write(`fulmar: serving ${titleOf(environment)} on ${server.url}\n`);
}

/** What was built is no folder. */
const titleOf = ({ root, command }: ConfigEnvironment): string =>
  command === 'start' ? 'the project' : relative(process.cwd(), root) || 'this folder';

/** @internal What a person wrote is told by message; what their code threw, with its own frames. */
export function whyNot(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const thrown = error.cause instanceof Error ? error.cause : error;
  // What does not parse is shown, and has no frames.
  if (thrown instanceof SyntaxError) return [error.message, ...(thrown.stack ?? '').split('\n').slice(1)].join('\n');
  const frames = (thrown.stack ?? '').split('\n').filter((line) => FRAME.test(line) && !OURS.test(line));
  return [error.message, ...frames].join('\n');
}

const FRAME = /^ {4}at /;
/** Frames of Node's, and of this package's bundles or sources. */
const OURS = /node:|[\\/](?:fulmar[\\/](?:dist|src|bin)|packages[\\/](?:fulmar|cli)[\\/](?:dist|src|bin))[\\/]/;
