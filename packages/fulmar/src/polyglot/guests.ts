/**
 * The languages that there is a guest of. One entry makes a language known to `Polyglot`, to imports of its files, to
 * `fulmar doctor` and to the reloading of `fulmar dev`. None of them is started here.
 */
import { GuestLanguage } from './language-api.ts';
import { javaLanguage } from './languages/java.ts';
import { pythonLanguage } from './languages/python.ts';
import { rubyLanguage } from './languages/ruby.ts';

/** Java, 11 or newer. */
export const java: GuestLanguage = new GuestLanguage(javaLanguage);
/** CPython, 3.9 or newer. */
export const python: GuestLanguage = new GuestLanguage(pythonLanguage);
/** CRuby, 3.0 or newer. */
export const ruby: GuestLanguage = new GuestLanguage(rubyLanguage);

/** By the names that `Polyglot` knows them by. */
export const guests: ReadonlyMap<string, GuestLanguage> = new Map([java, python, ruby].map((guest) => [guest.name, guest]));
