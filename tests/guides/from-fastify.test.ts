import { testGuide } from './guide.ts';

testGuide('../migration/from-fastify.md');
