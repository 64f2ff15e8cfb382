import { testGuide } from './guide.ts';

testGuide('projects.md');
