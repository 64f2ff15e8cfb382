/** All tests in one process, as `fulmar run` compiles their decorators: `npm test`. One alone: `fulmar run test/units.test.ts`. */
import './application.test.ts';
import './units.test.ts';
