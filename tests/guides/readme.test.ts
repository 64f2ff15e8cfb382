import { testGuide } from './guide.ts';

testGuide('../../README.md', { isFresh: true });
