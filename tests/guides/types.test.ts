import { testGuide } from './guide.ts';

testGuide('types.md');
