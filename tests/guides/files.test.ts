import { testGuide } from './guide.ts';

testGuide('files.md');
