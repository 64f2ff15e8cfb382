/**
 * Opens a project and listens, as the file that a process starts with.
 */
import { relative } from 'node:path';
import { RouteFileError } from '../files/route-file-error.ts';
import { RouteLoadError } from '../module/load-error.ts';
import type { ConfigEnvironment } from './config-types.ts';
import { openProject, type ProjectParts } from './create-project.ts';

/** Ends the process with 1 where the project cannot be opened, and says why. */
export async function serveProject(environment: ConfigEnvironment, parts: ProjectParts): Promise<void> {
  try {
    const project = await openProject(environment, parts);
    const server = await project.listen();
    // A process that has a primary tells it there.
    if (process.send === undefined) process.stderr.write(`fulmar: serving ${titleOf(environment)} on ${server.url}\n`);
  } catch (error) {
    process.stderr.write(`fulmar: ${whyNot(error)}\n`);
    process.exitCode = 1;
  }
}

const titleOf = ({ root }: ConfigEnvironment): string => relative(process.cwd(), root) || 'this folder';

/** What a person wrote is told by message; what their code threw, with where. */
function whyNot(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof RouteFileError && !(error instanceof RouteLoadError)) return error.message;
  return error.cause instanceof Error ? `${error.message}\n${error.cause.stack ?? error.cause.message}` : (error.stack ?? error.message);
}
