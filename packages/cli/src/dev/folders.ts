/**
 * Watches a tree of folders, one watch for each, and says which paths something has happened to. Not what: who is told
 * looks. Folders that come are watched from then on, those that go no longer; installed packages and hidden folders are
 * not looked into. Reads no file.
 */
import { type Dirent, type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join, sep } from 'node:path';
import { DEPTH_MAX, FOLDERS_MAX } from './limits.ts';

export interface FolderEvents {
  /** A file or folder is there, or is there no more, or has changed. */
  touched(path: string): void;
  /** Once: folders from here on are not watched. */
  exhausted(folder: string, why: string): void;
}

const isLeftOut = (name: string): boolean => name === 'node_modules' || name.startsWith('.');

export class Folders {
  readonly #events: FolderEvents;
  readonly #watchers = new Map<string, FSWatcher>();
  #isExhausted = false;
  #isOpen = true;

  constructor(events: FolderEvents) {
    this.#events = events;
  }

  /** All below it too. `tells`: of the files that are there already, as of new ones. */
  add(folder: string, tells = false, depth = 0): void {
    if (!this.#isOpen || depth > DEPTH_MAX) return;
    if (!this.#watchers.has(folder) && !this.#watch(folder)) return;
    for (const item of entriesOf(folder)) {
      const path = join(folder, item.name);
      if (item.isDirectory()) {
        if (!isLeftOut(item.name)) this.add(path, tells, depth + 1);
      } else if (tells) this.#events.touched(path);
    }
  }

  /** This folder alone: of a file that lies outside of the tree. */
  addOne(folder: string): void {
    if (this.#isOpen && !this.#watchers.has(folder)) this.#watch(folder);
  }

  close(): void {
    this.#isOpen = false;
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #watch(folder: string): boolean {
    if (this.#watchers.size >= FOLDERS_MAX) {
      this.#exhausted(folder, `more than ${FOLDERS_MAX} folders`);
      return false;
    }
    try {
      const watcher = watch(folder, (_kind, name) => this.#happened(folder, name));
      // Its folder has gone; what there was is told by the folder above.
      watcher.on('error', () => this.#remove(folder));
      this.#watchers.set(folder, watcher);
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOSPC') this.#exhausted(folder, 'the system allows no more watches (sysctl fs.inotify.max_user_watches)');
      else if (code === 'EMFILE')
        this.#exhausted(folder, 'the system allows no more watchers (sysctl fs.inotify.max_user_instances, ulimit -n)');
      return false;
    }
  }

  #happened(folder: string, name: string | null): void {
    if (!this.#isOpen) return;
    if (name === null) {
      for (const item of entriesOf(folder)) this.#touched(join(folder, item.name), item.name);
    } else this.#touched(join(folder, name), name);
  }

  #touched(path: string, name: string): void {
    const isFolder = isFolderAt(path);
    if (isFolder) {
      if (isLeftOut(name)) return;
      // Another one of the same name may have been there.
      this.#remove(path);
      this.add(path, true);
    } else if (this.#watchers.has(path)) this.#remove(path);
    this.#events.touched(path);
  }

  #remove(folder: string): void {
    const below = folder + sep;
    for (const [path, watcher] of this.#watchers) {
      if (path !== folder && !path.startsWith(below)) continue;
      watcher.close();
      this.#watchers.delete(path);
    }
  }

  #exhausted(folder: string, why: string): void {
    if (this.#isExhausted) return;
    this.#isExhausted = true;
    this.#events.exhausted(folder, why);
  }
}

/** It may have gone by now, and be a link to itself: whoever is told looks. */
function isFolderAt(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** It may have gone by now. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
