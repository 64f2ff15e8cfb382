import { testGuide } from './guide.ts';

testGuide('controllers-parts.md');
