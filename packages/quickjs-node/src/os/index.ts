/**
 * `node:os`
 */
import ops from 'fulmar:ops';
import fs from 'node:fs';
import type * as NodeOs from 'node:os';
import { errnoMessage, errnoName } from '../shared/errno.ts';
import { coded } from '../shared/errors.ts';
import { constants } from './constants.ts';
import { validateInt32 } from '../shared/validators.ts';

let machine: ReturnType<typeof ops.os> | undefined;
const os = (): ReturnType<typeof ops.os> => (machine ??= ops.os());

/** What the priority is raised by where a negative number means a failure. */
const RAISED_BY = 1000;

function systemError(errno: number, syscall: string): Error {
  const code = errnoName(errno);
  const message = errnoMessage(errno);
  const error = coded(Error, 'ERR_SYSTEM_ERROR', `A system error occurred: ${syscall} returned ${code} (${message})`);
  error.name = 'SystemError';
  return Object.assign(error, { info: { errno, code, message, syscall }, errno, syscall });
}

/** The numbers of `/proc/<name>`, as text; empty where there is no such file. */
function proc(name: string): string {
  try {
    return fs.readFileSync(`/proc/${name}`, 'utf8');
  } catch {
    return '';
  }
}

const TICK_MS = 10;

function cpus(): NodeOs.CpuInfo[] {
  const models = [...proc('cpuinfo').matchAll(/^model name\s*:\s*(.*)$/gm)].map(([, model]) => model ?? 'unknown');
  const speeds = [...proc('cpuinfo').matchAll(/^cpu MHz\s*:\s*([\d.]+)/gm)].map(([, speed]) => Math.floor(Number(speed)));
  const lines = [...proc('stat').matchAll(/^cpu\d+ (.*)$/gm)];
  return lines.map(([, line = ''], index) => {
    const [user = 0, nice = 0, sys = 0, idle = 0, , irq = 0] = line.split(' ').map((ticks) => Number(ticks) * TICK_MS);
    return { model: models[index] ?? 'unknown', speed: speeds[index] ?? 0, times: { user, nice, sys, idle, irq } };
  });
}

/** In bytes. */
function memory(name: string): number | undefined {
  const found = new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(proc('meminfo'));
  return found === null ? undefined : Number(found[1]) * 1024;
}

function prefixLength(mask: string): number | null {
  const bits = mask.includes(':')
    ? expanded(mask).map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0'))
    : mask.split('.').map((byte) => Number(byte).toString(2).padStart(8, '0'));
  const all = bits.join('');
  return /^1*0*$/.test(all) ? all.replace(/0+$/, '').length : null;
}

/** The eight groups of an IPv6 address. */
function expanded(address: string): string[] {
  const [head = '', tail = ''] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  return address.includes('::') ? [...left, ...zeros, ...right] : left;
}

function networkInterfaces(): NodeJS.Dict<NodeOs.NetworkInterfaceInfo[]> {
  const all: Record<string, object[]> = {};
  for (const [name, address, netmask, mac, internal, scope] of os().interfaces()) {
    const bits = prefixLength(netmask);
    const family = scope < 0 ? 'IPv4' : 'IPv6';
    const cidr = bits === null ? null : `${address}/${bits}`;
    const entry = { address, netmask, family, mac: mac === '' ? '00:00:00:00:00:00' : mac, internal, cidr };
    (all[name] ??= []).push(scope < 0 ? entry : { ...entry, scopeid: scope });
  }
  return all as NodeJS.Dict<NodeOs.NetworkInterfaceInfo[]>;
}

function userInfo(options?: { encoding?: string }): object {
  const [uid, gid, username, homedir, shell] = os().user();
  if (username === undefined) throw systemError(-2, 'uv_os_get_passwd');
  const as = (text: string): string | Buffer => (options?.encoding === 'buffer' ? Buffer.from(text) : text);
  const made = { uid: Number(uid), gid: Number(gid), username: as(username), homedir: as(homedir ?? ''), shell: as(shell ?? '') };
  return Object.assign(Object.create(null) as object, made);
}

function homedir(): string {
  return process.env['HOME'] || (os().user()[3] ?? '/');
}

function tmpdir(): string {
  const folder = process.env['TMPDIR'] || process.env['TMP'] || process.env['TEMP'] || '/tmp';
  return folder.length > 1 && folder.endsWith('/') ? folder.slice(0, -1) : folder;
}

function getPriority(pid: number = 0): number {
  validateInt32(pid, 'pid');
  const raised = os().getPriority(pid);
  if (raised < 0) throw systemError(raised, 'uv_os_getpriority');
  return raised - RAISED_BY;
}

function setPriority(pid: number, priority?: number): void {
  const [target, wanted] = priority === undefined ? [0, pid] : [pid, priority];
  validateInt32(target, 'pid');
  validateInt32(wanted, 'priority', -20, 19);
  const raised = os().setPriority(target, wanted);
  if (raised < 0) throw systemError(raised, 'uv_os_setpriority');
}

/** Text that is also given when the function itself is made a string. */
function textual<F extends () => string | number>(read: F): F {
  return Object.defineProperty(read, Symbol.toPrimitive, { value: read, configurable: true });
}

const type = (): string => os().names()[0];
const exported = {
  arch: textual(() => process.arch),
  availableParallelism: textual(() => os().parallelism()),
  cpus,
  endianness: textual(() => (new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 'LE' : 'BE')),
  freemem: textual(() => memory('MemAvailable') ?? os().numbers()[5]),
  getPriority,
  homedir: textual(homedir),
  hostname: textual(() => os().names()[1]),
  loadavg: () => os().numbers().slice(1, 4),
  networkInterfaces,
  platform: textual(() => process.platform),
  release: textual(() => os().names()[2]),
  setPriority,
  tmpdir: textual(tmpdir),
  totalmem: textual(() => memory('MemTotal') ?? os().numbers()[4]),
  type: textual(type),
  userInfo,
  uptime: textual(() => os().numbers()[0]),
  version: textual(() => os().names()[3]),
  machine: textual(() => os().names()[4]),
};
for (const [name, value] of Object.entries(exported)) Object.defineProperty(value, 'name', { value: name });
Object.defineProperty(exported, 'constants', { value: constants, enumerable: true, configurable: false, writable: false });
Object.defineProperty(exported, 'EOL', { value: '\n', enumerable: true, configurable: true, writable: false });
Object.defineProperty(exported, 'devNull', { value: '/dev/null', enumerable: true, configurable: true, writable: false });

export default exported as unknown as typeof NodeOs;
