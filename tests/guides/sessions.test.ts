import { testGuide } from './guide.ts';

testGuide('sessions.md');
