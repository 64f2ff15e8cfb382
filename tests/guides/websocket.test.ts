import { testGuide } from './guide.ts';

testGuide('websocket.md');
