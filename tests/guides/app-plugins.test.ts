import { testGuide } from './guide.ts';

testGuide('app-plugins.md');
