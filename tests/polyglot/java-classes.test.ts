/** The classes that the library of the Java guest has are those of the sources beside it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { JAVAC_MAJOR, jarFile, javacMajor, makeJar } from '../../scripts/java-classes.mjs';

const major = javacMajor();

test(
  'guest.jar is what its sources give',
  { skip: major === JAVAC_MAJOR ? false : `javac ${JAVAC_MAJOR} is needed, and this is ${major ?? 'none'}` },
  () => {
    assert.ok(readFileSync(jarFile).equals(makeJar()), 'crates/guest-java/java has changed: node scripts/java-classes.mjs');
  },
);
