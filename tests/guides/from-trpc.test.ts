import { testGuide } from './guide.ts';

testGuide('../migration/from-trpc.md');
