/** The README of an example, word by word, as a guide is run: each section in a copy of the folder. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../../packages/cli/src/free-port.ts';
import { runCommand, startServer } from '../../guides/commands.ts';
import { missingLine, parseGuide, type Section } from '../../guides/parse.ts';

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const PORTS = 2;

/** What was installed, built or uploaded stays where it is. */
const LEFT_OUT: ReadonlySet<string> = new Set(['node_modules', 'dist', 'files']);

function copyOf(folder: string): string {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'fulmar-example-')));
  const isCopied = (file: string): boolean => !LEFT_OUT.has(relative(folder, file).split(sep)[0] ?? '');
  cpSync(folder, copy, { recursive: true, filter: isCopied });
  symlinkSync(modules, join(copy, 'node_modules'));
  return copy;
}

async function play({ steps }: Section, folder: string): Promise<void> {
  const place = { folder: copyOf(folder) };
  const port = await freePort(PORTS);
  const fill = (text: string): string => text.replaceAll(/\b300([01])\b/g, (_, digit: string) => String(port + Number(digit)));
  const stops: (() => Promise<void>)[] = [];
  try {
    for (const step of steps) {
      assert.equal(step.kind, 'command', 'the example has its files');
      const [command, output] = [fill(step.text), step.output.map(fill)];
      if (step.isServer) stops.push(await startServer(place, command, output));
      else {
        const printed = await runCommand(place, command);
        const missing = missingLine(output, printed);
        assert.equal(missing, undefined, `${command}\ndoes not print, in its place: ${missing}\nIt printed:\n${printed}`);
      }
    }
  } finally {
    for (const stop of stops.toReversed()) await stop();
    rmSync(place.folder, { recursive: true, force: true });
  }
}

export function testReadme(example: string, folder: string): void {
  const { sections } = parseGuide(readFileSync(join(folder, 'README.md'), 'utf8'));
  for (const section of sections.filter(({ steps }) => steps.length > 0))
    test(`README of ${example}: ${section.title}`, { timeout: 240_000 }, () => play(section, folder));
}
