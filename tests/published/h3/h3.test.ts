import { compareServer } from '../support/compare.ts';
import { server } from './server.ts';

compareServer(server);
