/**
 * Carries out a Dockerfile without Docker, far enough for the guide's: each stage is a folder, `RUN` is a
 * shell in it, base images are this machine's programs.
 *
 * What an image would have of its own (a C library, another Node, a user) is not there: a path that the
 * Dockerfile writes as absolute is one below the stage's folder. An instruction that is not known is an
 * error, so nothing in a guide is passed over.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

interface Instruction {
  readonly name: string;
  readonly text: string;
}

interface Stage {
  readonly image: string;
  readonly root: string;
  folder: string;
  user: string;
  readonly env: Record<string, string>;
  command: readonly string[];
}

export interface Image {
  /** The last `FROM`. */
  readonly base: string;
  readonly user: string;
  readonly exposed: readonly number[];
  /** Where and how the container's process is started. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

/** Programs that a `RUN` finds before those of the machine. */
export interface Machine {
  readonly path: string;
  /** Made for `FROM node`: its `node`. */
  readonly node: string;
}

export function buildImage(dockerfile: string, context: string, machine: Machine): Image {
  const stages = new Map<string, Stage>();
  const exposed: number[] = [];
  let stage: Stage | undefined;
  for (const { name, text } of instructionsOf(dockerfile)) {
    if (name === 'FROM') {
      const [image = '', as, label] = text.split(/\s+/);
      stage = { image, root: mkdtempSync(join(context, '..', 'stage-')), folder: '', user: 'root', env: {}, command: [] };
      stage.folder = stage.root;
      if (as === 'AS' && label !== undefined) stages.set(label, stage);
      continue;
    }
    if (stage === undefined) throw new Error(`${name} before FROM`);
    if (name === 'WORKDIR') mkdirSync((stage.folder = inside(stage, text)), { recursive: true });
    else if (name === 'ENV')
      for (const [key, value] of pairs(text)) stage.env[key] = value.startsWith('/') ? join(stage.root, value) : value;
    else if (name === 'COPY') copy(text, { stage, stages, context });
    else if (name === 'RUN') run(text, stage, machine);
    else if (name === 'USER') stage.user = text;
    else if (name === 'EXPOSE') exposed.push(Number(text));
    else if (name === 'CMD') stage.command = JSON.parse(text) as string[];
    else throw new Error(`what is ${name}?`);
  }
  if (stage === undefined || stage.command.length === 0) throw new Error('an image without a command');
  const [program = '', ...args] = stage.command;
  const found = program === 'node' ? machine.node : inside(stage, program);
  return { base: stage.image, user: stage.user, exposed, cwd: stage.folder, env: stage.env, command: [found, ...args] };
}

function instructionsOf(dockerfile: string): Instruction[] {
  const lines = dockerfile.replaceAll('\\\n', ' ').split('\n');
  return lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', text = ''] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
      return { name, text };
    });
}

const pairs = (text: string): [string, string][] =>
  text.split(/\s+/).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);

const inside = (stage: Stage, path: string): string => (isAbsolute(path) ? join(stage.root, path) : resolve(stage.folder, path));

function copy(text: string, { stage, stages, context }: { stage: Stage; stages: Map<string, Stage>; context: string }): void {
  const words = text.split(/\s+/);
  const option = words[0]?.startsWith('--') === true ? words.shift() : undefined;
  const to = words.pop() ?? '';
  const [, from] = /^--from=(.*)$/.exec(option ?? '') ?? [];
  if (option !== undefined && from === undefined) throw new Error(`what is ${option}?`);
  const source = from === undefined ? undefined : stages.get(from);
  if (from !== undefined && source === undefined) throw new Error(`no stage ${from}`);
  const ignored = source === undefined ? ignoredBy(context) : new Set<string>();
  const target = inside(stage, to);
  const intoFolder = words.length > 1 || to.endsWith('/') || (existsSync(target) && statSync(target).isDirectory());
  for (const word of words) {
    const path = source === undefined ? join(context, word) : inside(source, word);
    // Of a folder its content is copied, of a file the file.
    const into = intoFolder && statSync(path).isFile() ? join(target, basename(path)) : target;
    mkdirSync(dirname(into), { recursive: true });
    cpSync(path, into, { recursive: true, filter: (one) => !ignored.has(one) });
  }
}

function ignoredBy(context: string): Set<string> {
  const file = join(context, '.dockerignore');
  const names = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return new Set(names.filter((name) => name !== '').map((name) => join(context, name)));
}

function run(command: string, stage: Stage, machine: Machine): void {
  // A user of the image is not one of this machine.
  const possible = command.replace(/\bchown \S+ \S+/g, 'true').replace('npm cache clean --force', 'true');
  const env = { ...process.env, ...stage.env, PATH: `${machine.path}:${process.env['PATH'] ?? ''}` };
  try {
    execFileSync('sh', ['-ec', possible], { cwd: stage.folder, env, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string };
    throw new Error(`RUN ${command}\n${stdout}${stderr}\n${readdirSync(stage.folder).join(' ')}`, { cause: error });
  }
}
