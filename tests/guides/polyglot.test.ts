import { testGuide } from './guide.ts';

testGuide('polyglot.md');
