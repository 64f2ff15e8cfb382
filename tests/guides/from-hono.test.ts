import { testGuide } from './guide.ts';

testGuide('../migration/from-hono.md');
