/** The scripts that build the addon and the package that looks for it call a platform by the same name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { platformTag as nameInPackage } from '../../packages/fulmar/src/host/engine.ts';
import { platformTag as nameInScripts } from '../../scripts/lib/addon.mjs';

const platforms = [
  { platform: 'linux', arch: 'x64', isMusl: undefined, name: 'linux-x64-gnu' },
  { platform: 'linux', arch: 'arm64', isMusl: true, name: 'linux-arm64-musl' },
  { platform: 'darwin', arch: 'arm64', isMusl: undefined, name: 'darwin-arm64' },
];

for (const { platform, arch, isMusl, name } of platforms) {
  test(`${name} has one name`, () => {
    const changed = { platform, arch, config: { ...process.config, variables: { ...process.config.variables, is_musl: isMusl } } };
    const before = Object.keys(changed).map((key) => [key, Object.getOwnPropertyDescriptor(process, key)] as const);
    for (const [key, value] of Object.entries(changed)) Object.defineProperty(process, key, { value, configurable: true });
    const names = [nameInPackage(), nameInScripts()];
    for (const [key, descriptor] of before) Object.defineProperty(process, key, descriptor as PropertyDescriptor);
    assert.deepEqual(names, [name, name]);
  });
}
