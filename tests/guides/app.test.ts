import { testGuide } from './guide.ts';

testGuide('app.md');
