import { testGuide } from './guide.ts';

testGuide('../migration/from-zely.md');
