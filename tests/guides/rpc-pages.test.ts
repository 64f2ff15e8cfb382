import { testGuide } from './guide.ts';

testGuide('rpc-pages.md');
