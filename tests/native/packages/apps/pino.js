import { pino } from 'pino';
import { answer } from './serve.js';
answer(() => {
  const lines = [];
  const log = pino(
    {
      base: { app: 'test' },
      timestamp: false,
      redact: ['user.password'],
      level: 'debug',
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => void lines.push(line) },
  );
  log.info(
    {
      user: {
        name: 'a',
        password: 'secret',
      },
    },
    'hello %s %d %j',
    'you',
    5,
    { b: 1 },
  );
  log.child({ request: 7 }).debug('below');
  log.trace('not written');
  log.error(Object.assign(new Error('failed'), { code: 'E1' }), 'with error');
  return lines.map((line) => line.replace(/"stack":"(?:[^"\\]|\\.)*"/, '"stack":"…"'));
});
