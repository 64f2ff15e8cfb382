import os from 'node:os';
import { cases } from '../harness/cases.ts';

const shape = (value: object): unknown => Object.entries(value).map(([key, one]) => [key, typeof one]);

export default cases('os', {
  arch: [() => os.arch(), () => `${os.arch as unknown as string}`],
  availableParallelism: [() => os.availableParallelism()],
  constants: [() => os.constants.errno, () => os.constants.signals, () => os.constants.priority, () => os.constants.dlopen],
  cpus: [() => os.cpus().length, () => os.cpus().map(({ model, times }) => [model, Object.keys(times)])],
  devNull: [() => os.devNull],
  endianness: [() => os.endianness()],
  EOL: [() => os.EOL],
  freemem: [() => os.freemem() > 0 && os.freemem() <= os.totalmem()],
  getPriority: [
    () => os.getPriority(),
    () => os.getPriority(process.pid),
    () => os.getPriority('x' as never),
    () => {
      try {
        return os.getPriority(2 ** 30);
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        return [code, message];
      }
    },
  ],
  homedir: [
    () => os.homedir(),
    () => {
      const { HOME } = process.env;
      process.env['HOME'] = '/else';
      const home = os.homedir();
      process.env['HOME'] = HOME;
      return home;
    },
  ],
  hostname: [() => os.hostname()],
  loadavg: [() => os.loadavg().map((load) => typeof load)],
  machine: [() => os.machine()],
  networkInterfaces: [() => os.networkInterfaces()['lo']],
  platform: [() => os.platform()],
  release: [() => os.release()],
  setPriority: [() => os.setPriority(99), () => os.setPriority('x' as never), () => os.setPriority(0, os.getPriority())],
  tmpdir: [
    () => os.tmpdir(),
    () => {
      process.env['TMPDIR'] = '/t/';
      const folder = os.tmpdir();
      delete process.env['TMPDIR'];
      return folder;
    },
  ],
  totalmem: [() => os.totalmem()],
  type: [() => os.type()],
  uptime: [() => typeof os.uptime()],
  userInfo: [() => ({ ...os.userInfo() }), () => shape(os.userInfo({ encoding: 'buffer' }))],
  version: [() => os.version()],
});
