/**
 * Parsed sources, as files are on disk or as whoever compiles gives them; one that has not changed is the same
 * object, by which programs tell what is new. Never decides which files are asked for.
 */
import { statSync } from 'node:fs';
import ts from 'typescript';

export interface Source {
  readonly file: string;
  /** Its text, which may be another one than that on disk. */
  readonly text: string;
}

interface Given {
  readonly text: string;
  /** What the file was like: when it is another one, the text is not its text any more. */
  readonly disk: string | undefined;
}

interface Parsed {
  readonly stamp: string;
  readonly source: ts.SourceFile;
}

export class Sources {
  readonly #parsed = new Map<string, Parsed>();
  readonly #given = new Map<string, Given>();

  give({ file, text }: Source): void {
    const disk = stampOf(file);
    const known = this.#parsed.get(file);
    // The text on disk, mostly: it is parsed once, whether it is read or given.
    if (known !== undefined && known.stamp === disk && known.source.text === text) this.#given.delete(file);
    else this.#given.set(file, { text, disk });
  }

  /** Parsed once for as long as the file is the same. */
  read(name: string, settings: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile | undefined {
    const disk = stampOf(name);
    const given = this.#textGiven(name, disk);
    const stamp = given === undefined ? disk : `text ${given}`;
    const known = this.#parsed.get(name);
    if (known !== undefined && known.stamp === stamp) return known.source;
    const text = given ?? (disk === undefined ? undefined : ts.sys.readFile(name));
    if (stamp === undefined || text === undefined) {
      this.#parsed.delete(name);
      return undefined;
    }
    // Parents are set by whoever binds names, which the checker does before it is asked anything.
    const source = ts.createSourceFile(name, text, settingsFor(name, settings)) as ts.SourceFile & { version?: string };
    // The checker's own name for what has changed between two programs.
    source.version = stamp;
    this.#parsed.set(name, { stamp, source });
    return source;
  }

  /** Is it what `read()` gives? Parses nothing. */
  isCurrent(source: ts.SourceFile): boolean {
    const disk = stampOf(source.fileName);
    const given = this.#textGiven(source.fileName, disk);
    const known = this.#parsed.get(source.fileName);
    return known?.source === source && known.stamp === (given === undefined ? disk : `text ${given}`);
  }

  #textGiven(name: string, disk: string | undefined): string | undefined {
    const given = this.#given.get(name);
    if (given === undefined || given.disk === disk) return given?.text;
    this.#given.delete(name);
    return undefined;
  }
}

/** TypeScript's own libraries and Node's types: 2 MB of text, of whose comments nothing is taken. */
const PLATFORM = /[\\/](?:typescript[\\/]lib[\\/]lib\.[^\\/]*|@types[\\/]node[\\/].*)\.d\.ts$/;

function settingsFor(name: string, settings: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.ScriptTarget | ts.CreateSourceFileOptions {
  if (!PLATFORM.test(name)) return settings;
  const options = typeof settings === 'object' ? settings : { languageVersion: settings };
  return { ...options, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
}

export function stampOf(name: string): string | undefined {
  const found = statSync(name, { throwIfNoEntry: false });
  return found?.isFile() === true ? `${found.mtimeMs} ${found.size}` : undefined;
}
