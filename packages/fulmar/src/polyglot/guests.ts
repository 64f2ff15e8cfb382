/**
 * The languages that there is a guest of. One entry makes a language known to `Polyglot`, to imports of its files, to
 * `fulmar doctor` and to the reloading of `fulmar dev`. None of them is started here.
 */
import { GuestLanguage } from './language-api.ts';
import { javaLanguage } from './languages/java.ts';
import { pythonLanguage } from './languages/python.ts';

/** Java, 11 or newer. */
export const java: GuestLanguage = new GuestLanguage(javaLanguage);
/** CPython, 3.9 or newer. */
export const python: GuestLanguage = new GuestLanguage(pythonLanguage);

/** By the names that `Polyglot` knows them by. */
export const guests: ReadonlyMap<string, GuestLanguage> = new Map([java, python].map((guest) => [guest.name, guest]));
