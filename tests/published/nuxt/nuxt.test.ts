import { compareServer } from '../support/compare.ts';
import { custom, server } from './server.ts';

for (const one of [server, custom]) compareServer(one, 'register');
