// The agent for ES modules: `import-in-the-middle` sees what `import` loads, and hands it to the same
// wrappers.
import { register } from 'node:module';

register('import-in-the-middle/hook.mjs', import.meta.url);
const { Hook } = await import('import-in-the-middle');
const { instrument } = (await import('./agent.cjs')).default;

globalThis.imported = [];
new Hook(['http', 'express'], (exported, name, folder) => {
  const { version } = folder === undefined ? { version: 'built in' } : JSON.parse(readManifest(folder));
  globalThis.imported.push(
    `${name} ${version.split('.')[0]} ${Object.keys(exported)
      .filter((key) => /^(Server|createServer|Router|application|default)$/.test(key))
      .sort()}`,
  );
  instrument(exported.default, name, folder);
  if (name === 'http') {
    const { createServer } = exported;
    exported.createServer = function wrappedCreateServer() {
      globalThis.imported.push(`createServer ${arguments.length}`);
      return createServer.apply(this, arguments);
    };
  }
});

function readManifest(folder) {
  return process.getBuiltinModule('fs').readFileSync(`${folder}/package.json`, 'utf8');
}
