/**
 * Random Express 4 programs: the generator of Express 5 with the patterns, replies and failures of Express 4.
 */
import { defineExpress } from '../../express/random/define.ts';

defineExpress('express4', 'tests/parity/express4/random/random.test.ts');
