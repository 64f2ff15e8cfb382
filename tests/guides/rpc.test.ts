import { testGuide } from './guide.ts';

testGuide('rpc.md');
