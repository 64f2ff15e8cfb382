import { testGuide } from './guide.ts';

testGuide('build.md');
