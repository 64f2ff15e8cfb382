import { testGuide } from './guide.ts';

testGuide('run.md');
