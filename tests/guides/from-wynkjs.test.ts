import { testGuide } from './guide.ts';

testGuide('../migration/from-wynkjs.md');
