import { testGuide } from './guide.ts';

testGuide('build-tools.md');
