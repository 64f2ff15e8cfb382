/**
 * What a Linux binary asks of the system it is loaded on: libraries, and versions of their symbols. Reads
 * 64-bit little-endian ELF files, which is what we publish; `objdump -p` says the same, where it is
 * installed.
 */
import { readFileSync } from 'node:fs';
import { Failure } from './run.mjs';

const MAGIC = '7f454c460201';
/** Kinds of sections (`sh_type`). */
const DYNAMIC = 6;
const VERSIONS_NEEDED = 0x6f_ff_ff_fe;
/** Kind of an entry of the dynamic section (`d_tag`): a library that is needed. */
const NEEDED = 1n;

/** `{ libraries: ['libc.so.6', …], versions: ['GLIBC_2.17', …] }` of `file`. */
export function requirementsOf(file) {
  const bytes = readFileSync(file);
  if (bytes.toString('hex', 0, 6) !== MAGIC) throw new Failure(`${file} is no 64-bit little-endian ELF file`);
  const sections = sectionsOf(bytes);
  return {
    libraries: [...sections].filter(({ kind }) => kind === DYNAMIC).flatMap((section) => librariesIn(bytes, section, sections)),
    versions: [...sections].filter(({ kind }) => kind === VERSIONS_NEEDED).flatMap((section) => versionsIn(bytes, section, sections)),
  };
}

function sectionsOf(bytes) {
  const [start, size, count] = [Number(bytes.readBigUInt64LE(40)), bytes.readUInt16LE(58), bytes.readUInt16LE(60)];
  return Array.from({ length: count }, (_, index) => {
    const at = start + index * size;
    return {
      kind: bytes.readUInt32LE(at + 4),
      offset: Number(bytes.readBigUInt64LE(at + 24)),
      size: Number(bytes.readBigUInt64LE(at + 32)),
      /** Index of the section with its names. */
      link: bytes.readUInt32LE(at + 40),
      /** Of versions: how many libraries there are. */
      info: bytes.readUInt32LE(at + 44),
    };
  });
}

const textAt = (bytes, at) => bytes.toString('latin1', at, bytes.indexOf(0, at));

function librariesIn(bytes, { offset, size, link }, sections) {
  const libraries = [];
  for (let at = offset; at < offset + size; at += 16) {
    if (bytes.readBigInt64LE(at) === NEEDED) libraries.push(textAt(bytes, sections[link].offset + Number(bytes.readBigUInt64LE(at + 8))));
  }
  return libraries;
}

/** A chain of libraries, each with a chain of versions. */
function versionsIn(bytes, { offset, link, info }, sections) {
  const versions = [];
  for (let [library, at] = [0, offset]; library < info; library += 1, at += bytes.readUInt32LE(at + 12)) {
    const count = bytes.readUInt16LE(at + 2);
    for (let [index, one] = [0, at + bytes.readUInt32LE(at + 8)]; index < count; index += 1, one += bytes.readUInt32LE(one + 12)) {
      versions.push(textAt(bytes, sections[link].offset + bytes.readUInt32LE(one + 8)));
    }
  }
  return versions;
}

/** What of `requirements` a system with the C library `floor` (`2.28`) and nothing else does not have. */
export function beyond(floor, { libraries, versions }) {
  const parts = (text) => text.split('.').map(Number);
  const [major, minor] = parts(floor);
  const isNewer = ([one, other = 0]) => one > major || (one === major && other > minor);
  return [
    ...libraries.filter((name) => !/^(?:lib(?:c|m|dl|pthread|rt)\.so\.\d|ld-linux[\w-]*\.so\.\d)$/.test(name)),
    ...versions.filter((name) => !/^GLIBC_[\d.]+$/.test(name) || isNewer(parts(name.slice('GLIBC_'.length)))),
  ];
}
