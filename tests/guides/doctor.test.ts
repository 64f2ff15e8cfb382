import { testGuide } from './guide.ts';

testGuide('doctor.md');
