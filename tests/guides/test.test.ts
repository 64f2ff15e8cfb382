import { testGuide } from './guide.ts';

testGuide('test.md');
