import { testGuide } from './guide.ts';

testGuide('install.md', { isFresh: true });
