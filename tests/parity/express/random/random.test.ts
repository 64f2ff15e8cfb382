/** Random Express programs, described in define.ts. */
import { defineExpress } from './define.ts';

defineExpress('express', 'tests/parity/express/random/random.test.ts');
