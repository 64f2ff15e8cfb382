import { testGuide } from './guide.ts';

testGuide('openapi.md');
