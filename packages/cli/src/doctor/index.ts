/**
 * `fulmar doctor`: starts an application under `fulmar run` with a probe in it, sends it requests, and tells
 * what runs how and why.
 *
 * Loaded when the command is used, never on the way to an application's start.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { printHelp } from '../help-text.ts';
import { formatOf, isCompiled } from '../../../fulmar/src/launch/compile/file-types.ts';
import { freePort } from '../free-port.ts';
import { doctorHelp } from './help.ts';
import { paintFor } from '../../../fulmar/src/launch/terminal/paint.ts';
import { distFolder } from '../../../fulmar/src/launch/settings.ts';
import { lookForGuests } from '../guests.ts';
import { checkEnvFiles } from '../probed.ts';
import { findTarget } from '../target.ts';
import { widthOf } from '../text-width.ts';
import { type DoctorOptions, parseDoctorArguments } from './arguments.ts';
import { readImports } from './imports.ts';
import { MS_PER_S } from './limits.ts';
import { chooseQuestions, sendQuestions } from './questions.ts';
import { type Report, type Sent, toReport } from './report.ts';
import { Session } from './session.ts';
import { paintPage, toText } from './text.ts';

/**
 * Problems that make the application incorrect: neither a command line that is not understood (2) nor a
 * failure (1).
 */
const EXIT_PROBLEMS = 3;

/**
 * Resolves to the exit code: 0, or 3 for problems. Rejects with a `CommandError` when the application does
 * not start.
 */
export async function doctor(argv: readonly string[], binFile: string): Promise<number> {
  const options = parseDoctorArguments(argv);
  const { stdout } = process;
  if (options === 'help') {
    printHelp(doctorHelp);
    return 0;
  }
  const report = await examine(options, binFile);
  const width = widthOf(stdout);
  const text = options.json
    ? `${JSON.stringify(report, undefined, 2)}\n`
    : paintPage(toText(report, { width, verbose: options.verbose }), paintFor(stdout));
  await new Promise<void>((done) => stdout.write(text, () => done()));
  return report.findings.some(({ severity }) => severity === 'problem') ? EXIT_PROBLEMS : 0;
}

async function examine(options: DoctorOptions, binFile: string): Promise<Report> {
  const target = findTarget(options.file, { name: 'doctor', doing: 'looking into' });
  const dist = distFolder(binFile);
  checkEnvFiles(options.envFiles);
  const session = new Session({
    file: target.file,
    args: [...(target.args ?? []), ...options.args],
    envFiles: options.envFiles,
    binFile: resolve(binFile),
    probeFile: join(dist, 'doctor-probe.cjs'),
    port: await freePort(),
    timeoutMs: options.startTimeoutS * MS_PER_S,
  });
  try {
    await session.start();
    const before = await session.facts();
    let sent: Sent[] = [];
    let after = before;
    if (options.requests) {
      await session.watch();
      const asked = await sendQuestions(chooseQuestions(before, options), session);
      sent = asked.sent;
      if (asked.facts.length > 0) after = asked.facts;
    }
    const end = session.isOver() ? await session.ending() : undefined;
    if (end === undefined) after = await session.facts();
    const imports = readImports(session.importLog(), dist);
    return toReport({
      version: readVersion(dist),
      target: {
        file: target.name,
        source: target.source,
        format: describeFormat(target.file),
        nodeEnv: process.env['NODE_ENV'] ?? 'production',
      },
      startMs: session.startMs,
      before,
      after,
      imports,
      guests: imports.guests.length === 0 ? [] : await lookForGuests(new Set(imports.guests)),
      sent,
      end,
      ownFolder: dist,
    });
  } finally {
    await session.stop();
  }
}

function describeFormat(file: string): string {
  const kind = formatOf(file) === 'module' ? 'ES module' : 'CommonJS';
  return isCompiled(file) ? `TypeScript or JSX, ${kind}` : kind;
}

function readVersion(dist: string): string {
  return (JSON.parse(readFileSync(join(dist, '..', 'package.json'), 'utf8')) as { version: string }).version;
}
