/**
 * The functions of `node:fs` that are one operation each: from a line here come `name`, `nameSync` and
 * `promises.name`.
 */
import { optionsOf } from './arguments.ts';
import * as plans from './plans.ts';
import type { Plan } from './run.ts';

export interface Line {
  /** Arguments before the callback: at least, at most. */
  readonly least: number;
  readonly most: number;
  readonly plan: (...args: unknown[]) => Plan<unknown>;
  /** The other arguments are checked before the callback. */
  readonly checksCallbackLast?: boolean;
  /** By descriptor: a method of `FileHandle` instead of a promise of its own. */
  readonly byDescriptor?: boolean;
}

const line = (least: number, most: number, plan: (...args: never[]) => Plan<unknown>, byDescriptor = false): Line => ({
  least,
  most,
  plan: plan as Line['plan'],
  byDescriptor,
});

const lastChecked = (made: Line): Line => ({ ...made, checksCallbackLast: true });

export const table: Readonly<Record<string, Line>> = {
  access: line(1, 2, plans.access),
  chown: line(3, 3, (path, uid, gid) => plans.chown(path, uid, gid, true)),
  chmod: lastChecked(line(2, 2, plans.chmod)),
  copyFile: lastChecked(line(2, 3, plans.copyFile)),
  fchown: line(3, 3, plans.fchown, true),
  fchmod: lastChecked(line(2, 2, plans.fchmod, true)),
  fdatasync: line(1, 1, (fd) => plans.sync(fd, 'fdatasync'), true),
  fstat: line(1, 2, plans.fstat, true),
  fsync: line(1, 1, (fd) => plans.sync(fd, 'fsync'), true),
  ftruncate: line(1, 2, (fd, length = 0) => plans.ftruncate(fd, length), true),
  futimes: line(3, 3, plans.futimes, true),
  lchown: line(3, 3, (path, uid, gid) => plans.chown(path, uid, gid, false)),
  link: line(2, 2, plans.link),
  lstat: line(1, 2, (path, options) => plans.stat(path, options, 'lstat')),
  lutimes: line(3, 3, (path, atime, mtime) => plans.utimes(path, atime, mtime, false)),
  mkdir: line(1, 2, plans.mkdir),
  mkdtemp: line(1, 2, (prefix, options) => plans.mkdtemp(prefix, optionsOf(options))),
  readdir: line(1, 2, plans.readdir),
  readlink: line(1, 2, (path, options) => plans.readlink(path, optionsOf(options))),
  rename: line(2, 2, plans.rename),
  rmdir: line(1, 2, (path) => plans.rmdir(path)),
  stat: line(1, 2, (path, options) => plans.stat(path, options)),
  statfs: line(1, 2, plans.statfs),
  symlink: line(2, 3, (target, path) => plans.symlink(target, path)),
  truncate: line(1, 2, (path, length = 0) => plans.truncate(path, length)),
  unlink: line(1, 1, plans.unlink),
  utimes: line(3, 3, (path, atime, mtime) => plans.utimes(path, atime, mtime, true)),
};
