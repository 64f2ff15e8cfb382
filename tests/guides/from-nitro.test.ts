import { testGuide } from './guide.ts';

testGuide('../migration/from-nitro.md');
