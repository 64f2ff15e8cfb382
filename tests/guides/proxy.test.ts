import { testGuide } from './guide.ts';

testGuide('proxy.md');
