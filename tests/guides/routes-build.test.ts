import { testGuide } from './guide.ts';

testGuide('routes-build.md');
