import { testGuide } from './guide.ts';

testGuide('../migration/from-mion.md');
