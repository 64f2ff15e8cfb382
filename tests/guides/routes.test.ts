import { testGuide } from './guide.ts';

testGuide('routes.md');
