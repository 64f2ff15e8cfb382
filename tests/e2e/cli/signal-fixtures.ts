/** Programs and modules that listen to signals as published packages do. Text only; starts nothing. */
import { createRequire } from 'node:module';

/** signal-exit 4, as npm has it. */
export const signalExit4 = createRequire(import.meta.url).resolve('signal-exit');

/** `require('./signal-exit3.cjs')(callback)`: what version 3 does with signals, in its order. */
const signalExit3 = `
const { EventEmitter } = require('events');
const emitter = (process.__signal_exit_emitter__ ??= Object.assign(new EventEmitter(), { count: 0, emitted: {} }));
const names = ['SIGABRT', 'SIGALRM', 'SIGHUP', 'SIGINT', 'SIGTERM'];
const listeners = {};
let loaded = false;
const emit = (event, code, signal) => {
  if (emitter.emitted[event]) return;
  emitter.emitted[event] = true;
  emitter.emit(event, code, signal);
};
const unload = () => {
  if (!loaded) return;
  loaded = false;
  for (const name of names) process.removeListener(name, listeners[name]);
  process.emit = originalEmit;
  process.reallyExit = originalReallyExit;
  emitter.count -= 1;
};
for (const name of names) {
  listeners[name] = () => {
    // If there are no other listeners, an exit is coming.
    if (process.listeners(name).length !== emitter.count) return;
    unload();
    emit('exit', null, name);
    process.kill(process.pid, name);
  };
}
const originalEmit = process.emit;
const originalReallyExit = process.reallyExit;
module.exports = (callback) => {
  emitter.on('exit', callback);
  if (loaded) return;
  loaded = true;
  emitter.count += 1;
  for (const name of names) process.on(name, listeners[name]);
  process.emit = function (event, argument) {
    if (event !== 'exit') return originalEmit.apply(this, arguments);
    if (argument !== undefined) process.exitCode = argument;
    const result = originalEmit.apply(this, arguments);
    emit('exit', process.exitCode, null);
    return result;
  };
  process.reallyExit = (code) => {
    process.exitCode = code || 0;
    emit('exit', process.exitCode, null);
    originalReallyExit.call(process, process.exitCode);
  };
};
`;

export const watchers = {
  'signal-exit3.cjs': signalExit3,
  'signal-exit4.cjs': `module.exports = (callback) => require(${JSON.stringify(signalExit4)}).onExit(callback);`,
};

/**
 * A `node:http` server after `before`: `/slow` takes a while, `/never` for ever; each says so when it has
 * begun.
 */
export function server(before: string): string {
  return `${before}
const server = require('http').createServer((req, res) => {
  if (req.url === '/slow') return console.log('SLOW'), void setTimeout(() => res.end('slow'), 400);
  if (req.url === '/never') return void console.log('NEVER');
  res.end('fine');
});
server.listen(0, '127.0.0.1', () => console.log('PORT ' + server.address().port + ' '));
`;
}

export function express5(before: string): string {
  return `${before}
const app = require('express')();
app.get('/', (req, res) => res.send('fine'));
const server = app.listen(0, '127.0.0.1', () => console.log('PORT ' + server.address().port + ' '));
`;
}

/** Says `word`, keeps the thread for as long as no test waits, and says so when it is done. */
export function busy(word: string): string {
  return `console.log('${word}'); for (const end = Date.now() + 8_000; Date.now() < end; ); console.log('GONE ON');`;
}
