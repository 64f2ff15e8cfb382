/** Random Express programs, described in define.ts. */
import { defineRandom } from './define.ts';

defineRandom('express', 'tests/parity/express/random/random.test.ts');
