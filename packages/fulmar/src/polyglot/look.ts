/**
 * What there is of a language on this machine, for `fulmar info` and `fulmar doctor`: asked of the same functions that
 * open a guest. Starts nothing of it in this process.
 */
import { guestLibrary } from '../exchange/binding.ts';
import { guestEndings } from '../host/guest-files.ts';
import type { Language } from './guest-types.ts';

/** Of one language. */
export interface GuestReport {
  readonly language: string;
  /** Endings of its files: `.py`. */
  readonly endings: readonly string[];
  /** Why it cannot be used, with what to install; null: it can. */
  readonly problem: string | null;
  readonly version: string | null;
  /** The program that was asked, as an interpreter. */
  readonly executable: string | null;
  /** What chose that: `'FULMAR_PYTHON'`, `'VIRTUAL_ENV'`, `'the path'` … */
  readonly reason: string | null;
  /** The language's own library. */
  readonly library: string | null;
  /** Fulmar's library for it. */
  readonly guest: string | null;
}

export async function lookFor(language: Language): Promise<GuestReport> {
  const { name } = language;
  const endings = Object.keys(guestEndings).filter((ending) => guestEndings[ending] === name);
  const report = { language: name, endings, problem: null, version: null, executable: null, reason: null, library: null, guest: null };
  let guest: string;
  try {
    guest = guestLibrary(name);
  } catch (error) {
    return { ...report, problem: (error as Error).message };
  }
  try {
    const settings = await language.find();
    const textOf = (key: string): string | null => (typeof settings[key] === 'string' ? settings[key] : null);
    return {
      ...report,
      guest,
      version: textOf('version'),
      executable: textOf('executable'),
      reason: textOf('reason'),
      library: textOf('library'),
    };
  } catch (error) {
    return { ...report, guest, problem: (error as Error).message };
  }
}
