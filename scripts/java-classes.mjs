/**
 * `node scripts/java-classes.mjs [--check]`: compiles what the Java guest has in Java (`crates/guest-java/java`) to
 * `crates/guest-java/guest.jar`, which is committed, so that building Fulmar needs no JDK. The same sources give the same
 * bytes: no times are written, and one version of `javac` is meant. `--check` only says whether they are the same.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';

const crate = fileURLToPath(new URL('../crates/guest-java', import.meta.url));
export const jarFile = join(crate, 'guest.jar');
/** Of `javac`: another one writes other bytes. */
export const JAVAC_MAJOR = 17;
/** The oldest Java that runs it. */
const RELEASE = '11';

/** Defined by JNI, which reads it from here without unpacking: it is the first, and stored (`crates/guest-java/src/jar.rs`). */
const FIRST = 'fulmar/guest/Loader.class';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
/** Midnight of the first day that the format knows. */
const DOS_DATE = 0x21;
const VERSION = 20;
const DEFLATED = 8;

/** Major version of `javac`; undefined: there is none. */
export function javacMajor() {
  try {
    const [major] = /\d+/.exec(execFileSync('javac', ['-version'], { encoding: 'utf8' })) ?? [];
    return Number(major);
  } catch {
    return undefined;
  }
}

/** Class files by their path in the jar, in its order. */
function compiled() {
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-java-'));
  try {
    const sources = filesOf(join(crate, 'java'), '.java');
    execFileSync('javac', ['--release', RELEASE, '-g:source,lines', '-Xlint:all', '-Werror', '-d', folder, ...sources], {
      stdio: 'inherit',
    });
    const files = filesOf(folder, '.class').map((file) => ({
      name: file.slice(folder.length + 1).replaceAll(sep, '/'),
      bytes: readFileSync(file),
    }));
    return files.toSorted((a, b) => Number(b.name === FIRST) - Number(a.name === FIRST) || (a.name < b.name ? -1 : 1));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const filesOf = (folder, suffix) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(suffix))
    .toSorted()
    .map((name) => join(folder, name));

/** What both headers of an entry have. */
function fields(entry) {
  const bytes = Buffer.alloc(26);
  bytes.writeUInt16LE(VERSION, 0);
  bytes.writeUInt16LE(entry.method, 4);
  bytes.writeUInt16LE(DOS_DATE, 8);
  bytes.writeUInt32LE(entry.crc, 10);
  bytes.writeUInt32LE(entry.data.length, 14);
  bytes.writeUInt32LE(entry.size, 18);
  bytes.writeUInt16LE(entry.path.length, 22);
  return bytes;
}

const word = (...values) => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4);
  return bytes;
};

/** The jar as bytes. */
export function makeJar() {
  const parts = [];
  const central = [];
  let at = 0;
  for (const { name, bytes } of compiled()) {
    const isFirst = name === FIRST;
    const data = isFirst ? bytes : deflateRawSync(bytes, { level: 9 });
    const entry = { path: Buffer.from(name), crc: crc32(bytes), size: bytes.length, data, method: isFirst ? 0 : DEFLATED };
    const local = Buffer.concat([word(LOCAL), fields(entry), entry.path, data]);
    const madeBy = Buffer.from([VERSION, 0]);
    central.push(Buffer.concat([word(CENTRAL), madeBy, fields(entry), Buffer.alloc(10), word(at), entry.path]));
    parts.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(14);
  end.writeUInt16LE(central.length, 4);
  end.writeUInt16LE(central.length, 6);
  end.writeUInt32LE(directory.length, 8);
  return Buffer.concat([...parts, directory, word(END), end.subarray(0, 12), word(at), Buffer.alloc(2)]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const major = javacMajor();
  if (major !== JAVAC_MAJOR)
    throw new Error(`javac ${JAVAC_MAJOR} is expected (Debian: openjdk-17-jdk-headless), and this is ${major ?? 'none'}`);
  const jar = makeJar();
  if (process.argv.includes('--check')) {
    const isSame = jar.equals(readFileSync(jarFile));
    console.log(isSame ? 'guest.jar is what the sources give' : 'guest.jar is not what the sources give: node scripts/java-classes.mjs');
    process.exitCode = isSame ? 0 : 1;
  } else {
    writeFileSync(jarFile, jar);
    console.log(`guest.jar: ${jar.length} bytes`);
  }
}
