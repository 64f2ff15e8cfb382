import { testGuide } from './guide.ts';

testGuide('serverless.md');
