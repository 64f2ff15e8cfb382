import { compareServer } from '../support/compare.ts';
import { plain, server, started } from './server.ts';

for (const one of [server, plain, started]) compareServer(one, 'register');
