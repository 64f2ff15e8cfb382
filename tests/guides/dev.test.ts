import { testGuide } from './guide.ts';

testGuide('dev.md');
