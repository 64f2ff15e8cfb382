/**
 * What the packages are called and what their manifests say: `fulmar`, without binaries; `@fulmar/<platform>`
 * with the engine and the guests, which npm installs along with it where `os`, `cpu` and `libc` fit;
 * `@fulmar/native-<platform>` with the QuickJS host and the load generator, for whoever asks for them. Names
 * as those of napi-rs, so that tools that know those know ours. `fulmar-compiler` and `create-fulmar` need no
 * platform.
 */
import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { packageDir } from './run.mjs';

/** Platforms that are published; the one that packs is among them or added to them. */
const published = ['linux-x64-gnu'];
const libcs = { gnu: 'glibc', musl: 'musl' };

const source = () => JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8'));
const engineName = (tag) => `@fulmar/${tag}`;
const nativeName = (tag) => `@fulmar/native-${tag}`;

/**
 * The manifest of `fulmar`: the checkout's, without what is for its development, and with the packages of the
 * platforms.
 */
export function mainManifest(tag) {
  const { private: _private, devDependencies: _dev, files: _files, ...manifest } = source();
  const tags = [...new Set([...published, tag])];
  const optional = Object.fromEntries(tags.map((one) => [nativeName(one), { optional: true }]));
  return {
    ...manifest,
    optionalDependencies: Object.fromEntries(tags.map((one) => [engineName(one), manifest.version])),
    // Peers, or package managers that link would not let `fulmar` see them.
    peerDependencies: { ...manifest.peerDependencies, ...Object.fromEntries(tags.map((one) => [nativeName(one), '*'])) },
    peerDependenciesMeta: { ...manifest.peerDependenciesMeta, ...optional },
  };
}

/** Where `fulmar-compiler` is, which needs no platform. */
export const compilerDir = join(dirname(packageDir), 'compiler');

/** The manifest of `fulmar-compiler`: the checkout's, without what is for its development. */
export function compilerManifest() {
  const { private: _private, devDependencies: _dev, ...manifest } = JSON.parse(readFileSync(join(compilerDir, 'package.json'), 'utf8'));
  return manifest;
}

/** Where `create-fulmar` is, which is `fulmar new` for `npm create`. */
export const createDir = join(dirname(packageDir), 'create-fulmar');

/** The manifest of `create-fulmar`: the checkout's. */
export function createManifest() {
  const { private: _private, ...manifest } = JSON.parse(readFileSync(join(createDir, 'package.json'), 'utf8'));
  return manifest;
}

/** `files`: the addon, then the libraries of guests, and the program that they are isolated in. */
export function engineManifest(tag, files) {
  const what = `The engine of Fulmar for ${tag}: a Node-API addon, and what fulmar/polyglot opens for other languages. Installed by the package fulmar.`;
  return { ...platformManifest(engineName(tag), what, files), main: basename(files[0]) };
}

export function nativeManifest(tag, programs) {
  const what = `What \`fulmar build --native\` and \`fulmar bench\` need on ${tag}: the native host and the load generator.`;
  return platformManifest(nativeName(tag), what, programs);
}

function platformManifest(name, description, files) {
  const { version, license, engines } = source();
  const [, libc] = /-(gnu|musl)$/.exec(name) ?? [];
  return {
    name,
    version,
    description,
    license,
    os: [process.platform],
    cpu: [process.arch],
    ...(libc === undefined ? {} : { libc: [libcs[libc]] }),
    engines,
    // Yarn keeps packages in archives, from which no binary can be loaded.
    preferUnplugged: true,
    // Compared before a file is loaded or run: one that is cut off would end the process with a signal.
    fulmar: { bytes: Object.fromEntries(files.map((file) => [basename(file), statSync(file).size])) },
  };
}
