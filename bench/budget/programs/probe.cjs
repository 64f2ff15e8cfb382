/**
 * Preloaded into a counted process: answers each SIGUSR2 with one line of JSON on descriptor 3, by what PROBE
 * says. Signals and a plain descriptor, because an IPC channel would load modules and allocate. Never touches
 * the application.
 */
'use strict';
const { statSync, writeSync } = require('node:fs');

const probes = { modules, heap: heap(), objects: objects() };
const probe = probes[process.env.PROBE];
process.on('SIGUSR2', () => probe((answer) => writeSync(3, `${JSON.stringify(answer)}\n`)));

/** Everything loaded until now, without this file. */
function modules(answer) {
  const files = Object.keys(require.cache).filter((file) => file !== __filename);
  const scripts = files.filter((file) => !file.endsWith('.node'));
  const builtins = process.moduleLoadList.filter((name) => name.startsWith('NativeModule '));
  const bytes = scripts.reduce((sum, file) => sum + statSync(file).size, 0);
  answer({ files, builtins: builtins.length, bytes });
}

/**
 * First signal: collects garbage and notes the heap. Second: what was allocated since then; nothing was
 * collected in between.
 */
function heap() {
  let before;
  return (answer) => {
    const { heapUsed } = process.memoryUsage();
    const bytes = before === undefined ? 0 : heapUsed - before;
    answer({ bytes });
    globalThis.gc();
    before = process.memoryUsage().heapUsed;
  };
}

/** First signal: starts sampling each allocation. Second: how many there were. */
function objects() {
  let session;
  return (answer) => {
    if (session === undefined) {
      const { Session } = require('node:inspector');
      session = new Session();
      session.connect();
      const settings = { samplingInterval: 1, includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true };
      session.post('HeapProfiler.startSampling', settings, () => answer({}));
      return;
    }
    session.post('HeapProfiler.stopSampling', (_error, { profile }) => {
      const bytes = profile.samples.reduce((sum, { size }) => sum + size, 0);
      answer({ objects: profile.samples.length, bytes });
    });
  };
}
