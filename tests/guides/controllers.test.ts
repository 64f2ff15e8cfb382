import { testGuide } from './guide.ts';

testGuide('controllers.md');
