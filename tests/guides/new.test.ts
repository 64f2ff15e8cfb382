import { testGuide } from './guide.ts';

testGuide('new.md', { isFresh: true });
