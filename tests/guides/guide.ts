/**
 * Executes a guide (`docs/guide/*.md`) word by word: `testGuide('adopt.md')` makes a test of each of its `##`
 * sections.
 *
 * How a guide is marked up:
 *
 * - A section runs in a folder of its own, in which Fulmar is installed as published, with the packages of `package.json` here. It begins
 *   with the files of the introduction (what stands before the first `##`), whose commands are run there as well.
 * - ```js title="server.js"   is a file, in any language; one of the same name replaces it.
 * - ```sh                     are commands for bash, in the order of the page. All of them must end with 0.
 * - ```sh server              is one command that stays until the end of the section, where it must end on SIGTERM. The page goes on when it
 *                             has printed what the output behind it shows.
 * - ```text output            right behind commands: lines that these print (to either stream), in this order and maybe among others; `…`
 *                             stands for any text.
 * - <!-- not run: reason -->  before a block: it is left alone.
 * - 3000 and 3001, as words, are other ports in each section.
 *
 * A block that is marked up otherwise is an error, and so is a section without a command, unless all its
 * blocks are left alone.
 */
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../packages/cli/src/free-port.ts';
import { endDaemon, type Place, runCommand, startServer } from './commands.ts';
import { guideText, missingLine, parseGuide, type Step } from './parse.ts';
import { createFreshProject, createProject, writeProjectFile } from './project.ts';

interface GuideOptions {
  readonly isFresh?: boolean;
  readonly packages?: string | undefined;
}

/** A page's are 3000 and the one after it. */
const PORTS = 2;

/**
 * `name`: of a file in `docs/guide`, or a path from there. With `isFresh` nothing is installed: the packages
 * lie beside the folder, in `../fulmar/dist-packages`, as `npm run pack` puts them into a checkout, and npm
 * asks its registry for all others. `packages`: a folder whose packages are there in place of those of the same name.
 */
export function testGuide(name: string, { isFresh = false, packages }: GuideOptions = {}): void {
  const { introduction, sections } = parseGuide(guideText(name));
  const run = sections.filter(({ steps }) => steps.length > 0);
  if (run.length === 0) throw new Error(`${name} has no section that could be run`);
  for (const { title, steps } of run) test(`${basename(name)}: ${title}`, () => play([...introduction, ...steps], { isFresh, packages }));
}

async function play(steps: readonly Step[], { isFresh = false, packages }: GuideOptions): Promise<void> {
  assert.ok(
    steps.some(({ kind }) => kind === 'command'),
    'a section with files has a command',
  );
  const folder = isFresh ? createFreshProject() : createProject({}, packages);
  const place: Place = { folder, isOnline: isFresh };
  const port = await freePort(PORTS);
  const fill = (text: string): string => text.replaceAll(/\b300([01])\b/g, (_, digit: string) => String(port + Number(digit)));
  const stops: (() => Promise<void>)[] = [];
  try {
    for (const step of steps) {
      if (step.kind === 'file') {
        writeProjectFile(folder, step.name, fill(step.text));
        continue;
      }
      const command = fill(step.text);
      const output = step.output.map(fill);
      if (step.isServer) {
        stops.push(await startServer(place, command, output));
        continue;
      }
      const printed = await runCommand(place, command);
      const missing = missingLine(output, printed);
      assert.equal(missing, undefined, `${command}\ndoes not print, in its place: ${missing}\nIt printed:\n${printed}`);
    }
  } catch (error) {
    // Whatever comes of that: the first error tells more.
    for (const stop of stops.splice(0)) await stop().catch(() => undefined);
    endDaemon(folder);
    throw error;
  }
  for (const stop of stops.toReversed()) await stop();
}
