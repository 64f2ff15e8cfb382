import { testGuide } from './guide.ts';

testGuide('schemas.md');
