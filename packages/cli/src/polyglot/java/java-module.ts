/**
 * What a class of Java has, as the JDK's compiler has read it: the shapes, and how it is asked. Nothing of it is loaded or run.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { javaRoot } from '../../../../fulmar/src/host/guest-files.ts';
import { CommandError } from '../../errors.ts';
import { lookForGuests } from '../../guests.ts';
import { PROGRAM } from './java-program.ts';

const READ_TIMEOUT_MS = 60_000;
/** Of what is printed of one class, with those that it uses. */
const OUTPUT_BYTES_MAX = 64 * 1_024 * 1_024;

/** `value`: one that has a counterpart, or an object of the JDK's, by its name. */
export interface JavaType {
  readonly kind:
    | 'value'
    | 'class'
    | 'array'
    | 'list'
    | 'set'
    | 'map'
    | 'entry'
    | 'optional'
    | 'iterator'
    | 'iterable'
    | 'future'
    | 'function'
    | 'unknown';
  readonly name?: string;
  readonly items?: readonly JavaType[];
  readonly function?: JavaFunction;
  readonly isNullable?: boolean;
}

export interface JavaParameter {
  readonly name: string;
  readonly type: JavaType;
}

export interface JavaFunction {
  readonly parameters: readonly JavaParameter[];
  readonly isRest: boolean;
  readonly returns: JavaType;
}

export interface JavaSignature extends JavaFunction {
  readonly name: string;
  readonly isStatic: boolean;
  readonly doc: string | null;
  /** The names of its parameters are known to the guest, too. */
  readonly isNamed: boolean;
  /** Its parameters, as they name it among overloads: `int,Object`. */
  readonly written: string;
}

export interface JavaField {
  readonly name: string;
  readonly isStatic: boolean;
  readonly doc: string | null;
  readonly type: JavaType;
}

export interface JavaClass {
  readonly name: string;
  readonly kind: 'class' | 'interface' | 'enum' | 'record';
  readonly doc: string | null;
  readonly isAbstract: boolean;
  /** All that it extends and implements. */
  readonly supers: readonly string[];
  /** Of a sealed one, what may extend it. */
  readonly permitted: readonly string[];
  /** Of one that can be gone through. */
  readonly iterates: JavaType | null;
  /** Of an interface that asks for one method. */
  readonly function: JavaFunction | null;
  readonly constants: readonly string[];
  readonly fields: readonly JavaField[];
  readonly components: readonly JavaField[];
  readonly inner: readonly string[];
  readonly methods: readonly JavaSignature[];
  readonly constructors: readonly JavaSignature[];
}

export interface JavaModule {
  /** The class that is imported; the others are those that it uses. */
  readonly name: string;
  readonly classes: readonly JavaClass[];
}

interface Broken {
  readonly error: { readonly message: string; readonly line: number; readonly file: string };
}

const ADVICE = 'install a JDK (Debian: apt-get install openjdk-17-jdk-headless), or name one by FULMAR_JAVA_HOME';

/** The `java` that `fulmar/polyglot` would use, of a JDK. */
async function findJdk(): Promise<string> {
  const [java] = await lookForGuests(new Set(['java']));
  if (java?.library == null) throw new CommandError('FULMAR_CLI_POLYGLOT', java?.problem ?? 'there is no Java');
  let home = dirname(realpathSync(java.library));
  while (!existsSync(join(home, 'bin/java')) && home !== dirname(home)) home = dirname(home);
  if (!hasCompiler(home))
    throw new CommandError(
      'FULMAR_CLI_POLYGLOT',
      `types of Java need its compiler, which ${home} (by ${java.reason}) does not have: ${ADVICE}`,
    );
  return join(home, 'bin/java');
}

/** A runtime has none; what some distributions call one does. */
function hasCompiler(home: string): boolean {
  const release = join(home, 'release');
  return (
    existsSync(join(home, 'bin/javac')) || (existsSync(release) && /^MODULES=.*\bjdk\.compiler\b/m.test(readFileSync(release, 'utf8')))
  );
}

/** What of Java is asked for: a source, or a class by its name. */
export interface JavaRequest {
  readonly written: string;
  readonly classPath: readonly string[];
}

/** Throws a `CommandError` with the place for what does not compile. */
export async function readJava({ written, classPath }: JavaRequest): Promise<JavaModule> {
  const java = await findJdk();
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-java-'));
  try {
    const program = join(folder, 'Describe.java');
    writeFileSync(program, PROGRAM);
    const nothing = join(folder, 'empty');
    mkdirSync(nothing);
    const [file, name, root] = written.endsWith('.java') ? sourceOf(written) : ['', written, nothing];
    const paths = classPath.length === 0 ? nothing : classPath.join(':');
    // Its own class path: what lies in the working directory, or CLASSPATH names, is not found in place of it.
    return understood(await run(java, ['-cp', nothing, program, file, name, paths, root], written), written);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The source, its class, and where the packages begin. */
function sourceOf(written: string): [string, string, string] {
  const file = resolve(written);
  const text = readFileSync(file, 'utf8');
  const root = javaRoot(dirname(file), text);
  const simple = basename(file, '.java');
  const packageName = /^\s*package\s+([\w.]+)\s*;/m.exec(text)?.[1];
  return [file, packageName === undefined ? simple : `${packageName}.${simple}`, root];
}

function run(java: string, args: readonly string[], written: string): Promise<string> {
  // What `JAVA_TOOL_OPTIONS` asks for would be told on the way.
  const env = { ...process.env, JAVA_TOOL_OPTIONS: '', _JAVA_OPTIONS: '', JDK_JAVA_OPTIONS: '' };
  const options = { timeout: READ_TIMEOUT_MS, maxBuffer: OUTPUT_BYTES_MAX, env };
  return new Promise((done, fail) => {
    execFile(java, ['-Xshare:auto', '-XX:TieredStopAtLevel=1', ...args], options, (error, output) => {
      if (error === null) done(output);
      else fail(new CommandError('FULMAR_CLI_POLYGLOT', `${java} could not read ${written}: ${error.message}`));
    });
  });
}

function understood(output: string, written: string): JavaModule {
  const read = JSON.parse(output) as JavaModule | Broken;
  if (!('error' in read)) return read;
  const { message, line, file } = read.error;
  const name = file === '' || file === resolve(written) ? written : file;
  throw new CommandError('FULMAR_CLI_POLYGLOT', `${line === 0 ? name : `${name}:${line}`}: ${message}`);
}
