import { testGuide } from './guide.ts';

testGuide('bench.md');
