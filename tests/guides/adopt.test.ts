import { testGuide } from './guide.ts';

testGuide('adopt.md');
