/**
 * The file that a path means: itself, with one of the extensions, or the index of its folder. Asks the file
 * system; what is no plain file is none.
 */
import fs, { type Stats } from 'node:fs';
import path from 'node:path';
import type { FoundFile } from './answer-file.ts';
import { fileCache } from './file-cache.ts';
import type { NormalOptions } from './send-options.ts';

/** A folder is one that was asked for without its slash. */
type Found = FoundFile | 'folder' | undefined;

/** At once for a file that is asked for often. @throws the system's error for what cannot be looked at */
export function findFile(file: string, settings: NormalOptions): Found | Promise<Found> {
  const isFolder = file.at(-1) === path.sep;
  const likely = isFolder && settings.index.length > 0 ? path.join(file, settings.index[0] as string) : file;
  const stat = fileCache.stat(likely);
  return stat === undefined ? lookUp(file, settings, isFolder) : { file: likely, stat };
}

async function lookUp(file: string, { index, extensions }: NormalOptions, isFolder: boolean): Promise<Found> {
  if (isFolder) return firstOf(index.map((name) => path.join(file, name)));
  const stat = await statOf(file);
  if (stat === undefined) return path.extname(file) === '' ? firstOf(extensions.map((extension) => `${file}.${extension}`)) : undefined;
  if (stat.isDirectory()) return 'folder';
  return stat.isFile() ? { file, stat } : undefined;
}

/** The first of the files that is there. */
export async function firstOf(files: readonly string[]): Promise<FoundFile | undefined> {
  for (const file of files) {
    const stat = fileCache.stat(file) ?? (await statOf(file));
    if (stat?.isFile() === true) return { file, stat };
  }
  return undefined;
}

function statOf(file: string): Promise<Stats | undefined> {
  return new Promise((resolve, reject) => {
    fs.stat(file, (error, stat) => {
      if (error === null) resolve(stat);
      else if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ENAMETOOLONG') resolve(undefined);
      else reject(error);
    });
  });
}
