/**
 * What the process has used: time, memory, resources.
 */
import ops from 'fulmar:ops';
import { coded, invalidArgType, outOfRange } from '../shared/errors.ts';
import { validateNumber, validateObject } from '../shared/validators.ts';

const NANOSECONDS = 1e9;

function hrtime(time?: [number, number]): [number, number] {
  const [seconds, nanoseconds] = ops.hrtime();
  if (time === undefined) return [seconds, nanoseconds];
  if (!Array.isArray(time)) throw invalidArgType('time', 'Array', time);
  if (time.length !== 2) throw outOfRange('time', '2', (time as unknown[]).length);
  const whole = seconds - time[0];
  const part = nanoseconds - time[1];
  return part < 0 ? [whole - 1, part + NANOSECONDS] : [whole, part];
}

hrtime.bigint = (): bigint => {
  const [seconds, nanoseconds] = ops.hrtime();
  return BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
};

function memoryUsage(): NodeJS.MemoryUsage {
  const [heapTotal, heapUsed, external] = ops.heap();
  return { rss: ops.rss(), heapTotal, heapUsed, external, arrayBuffers: external };
}

memoryUsage.rss = (): number => ops.rss();

function cpuUsage(previous?: NodeJS.CpuUsage): NodeJS.CpuUsage {
  const [user = 0, system = 0] = ops.usage();
  if (!previous) return { user, system };
  validateObject(previous, 'prevValue');
  checkTime(previous.user, 'prevValue.user');
  checkTime(previous.system, 'prevValue.system');
  return { user: user - previous.user, system: system - previous.system };
}

function checkTime(value: unknown, name: string): void {
  validateNumber(value, name);
  if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) {
    throw coded(RangeError, 'ERR_INVALID_ARG_VALUE', `The property '${name}' is invalid. Received ${value}`);
  }
}

function resourceUsage(): NodeJS.ResourceUsage {
  const [userCPUTime, systemCPUTime, maxRSS, ...rest] = ops.usage() as [number, number, number, ...number[]];
  const names = [
    'sharedMemorySize',
    'unsharedDataSize',
    'unsharedStackSize',
    'minorPageFault',
    'majorPageFault',
    'swappedOut',
    'fsRead',
    'fsWrite',
    'ipcSent',
    'ipcReceived',
    'signalsCount',
    'voluntaryContextSwitches',
    'involuntaryContextSwitches',
  ];
  const others = Object.fromEntries(names.map((name, at) => [name, rest[at] ?? 0]));
  return { userCPUTime, systemCPUTime, maxRSS, ...others } as unknown as NodeJS.ResourceUsage;
}

export const members = {
  hrtime,
  uptime: (): number => ops.now() / 1000,
  memoryUsage,
  cpuUsage,
  threadCpuUsage: cpuUsage,
  resourceUsage,
  constrainedMemory: (): number => ops.memoryLimit(),
  availableMemory: (): number => ops.availableMemory(),
  getActiveResourcesInfo: (): string[] => [],
  _getActiveHandles: (): unknown[] => [],
  _getActiveRequests: (): unknown[] => [],
};
