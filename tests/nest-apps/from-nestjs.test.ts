/** The programs of the page on migration, word by word, with the packages that stand here. */
import { testGuide } from '../guides/guide.ts';
import { here } from './support/changed.ts';

testGuide('../migration/from-nestjs.md', { packages: here });
