import { testGuide } from './guide.ts';

testGuide('native.md');
