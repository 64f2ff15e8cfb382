/**
 * How many colours a terminal shows, from its environment, as `tty.WriteStream` tells.
 */
import { invalidArgType } from '../shared/errors.ts';
import { validateInteger } from '../shared/validators.ts';

const [COLORS_2, COLORS_16, COLORS_256, COLORS_16M] = [1, 4, 8, 24];

/** Terminals by their `TERM`. */
const TERMINALS: Readonly<Record<string, number>> = {
  eterm: COLORS_16,
  cons25: COLORS_16,
  console: COLORS_16,
  cygwin: COLORS_16,
  dtterm: COLORS_16,
  gnome: COLORS_16,
  hurd: COLORS_16,
  jfbterm: COLORS_16,
  konsole: COLORS_16,
  kterm: COLORS_16,
  mlterm: COLORS_16,
  mosh: COLORS_16M,
  putty: COLORS_16,
  st: COLORS_16,
  'rxvt-unicode-24bit': COLORS_16M,
  terminator: COLORS_16M,
  'xterm-kitty': COLORS_16M,
};
const FAMILIES = [/ansi/, /color/, /linux/, /direct/, /^con\d*x\d/, /^rxvt/, /^screen/, /^xterm/, /^vt100/, /^vt220/];

/** Continuous-integration services by a variable of theirs. */
const SERVICES: readonly (readonly [string, number])[] = [
  ['APPVEYOR', COLORS_256],
  ['BUILDKITE', COLORS_256],
  ['CIRCLECI', COLORS_16M],
  ['DRONE', COLORS_256],
  ['GITEA_ACTIONS', COLORS_16M],
  ['GITHUB_ACTIONS', COLORS_16M],
  ['GITLAB_CI', COLORS_256],
  ['TRAVIS', COLORS_256],
];

type Environment = Readonly<Record<string, string | undefined>>;

function forced(env: Environment): number | undefined {
  switch (env['FORCE_COLOR']) {
    case undefined:
      return undefined;
    case '':
    case '1':
    case 'true':
      return COLORS_16;
    case '2':
      return COLORS_256;
    case '3':
      return COLORS_16M;
    default:
      return COLORS_2;
  }
}

export function colorDepth(env: Environment = process.env): number {
  const asked = forced(env);
  if (asked !== undefined) return asked;
  if ((env['NODE_DISABLE_COLORS'] ?? '') !== '' || (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return COLORS_2;
  if (env['TMUX']) return COLORS_16M;
  if ('TF_BUILD' in env && 'AGENT_NAME' in env) return COLORS_16;
  if ('CI' in env) return SERVICES.find(([name]) => name in env)?.[1] ?? (env['CI_NAME'] === 'codeship' ? COLORS_256 : COLORS_2);
  if (env['TEAMCITY_VERSION'] !== undefined) return /^(?:9\.0*[1-9]\d*\.|\d{2,}\.)/.test(env['TEAMCITY_VERSION']) ? COLORS_16 : COLORS_2;
  return byProgram(env) ?? byTerminal(env);
}

function byProgram(env: Environment): number | undefined {
  switch (env['TERM_PROGRAM']) {
    case 'iTerm.app':
      return !env['TERM_PROGRAM_VERSION'] || /^[0-2]\./.test(env['TERM_PROGRAM_VERSION']) ? COLORS_256 : COLORS_16M;
    case 'HyperTerm':
    case 'MacTerm':
      return COLORS_16M;
    case 'Apple_Terminal':
      return COLORS_256;
    default:
      return env['COLORTERM'] === 'truecolor' || env['COLORTERM'] === '24bit' ? COLORS_16M : undefined;
  }
}

function byTerminal(env: Environment): number {
  const { TERM: terminal } = env;
  if (terminal) {
    if (/truecolor/.test(terminal)) return COLORS_16M;
    if (terminal.startsWith('xterm-256')) return COLORS_256;
    const name = terminal.toLowerCase();
    const known = TERMINALS[name];
    if (known !== undefined) return known;
    if (FAMILIES.some((family) => family.test(name))) return COLORS_16;
  }
  return env['COLORTERM'] ? COLORS_16 : COLORS_2;
}

export function hasColors(count?: number | Environment, env?: Environment): boolean {
  let wanted = 16;
  let environment = env;
  if (typeof count === 'object' && count !== null && env === undefined) environment = count;
  else if (count !== undefined) {
    if (typeof count !== 'number') throw invalidArgType('count', 'number', count);
    validateInteger(count, 'count', 2);
    wanted = count;
  }
  return wanted <= 2 ** colorDepth(environment);
}
