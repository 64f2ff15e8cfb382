import { testGuide } from './guide.ts';

testGuide('health.md');
