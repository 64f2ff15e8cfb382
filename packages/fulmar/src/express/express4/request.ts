// `express.request` of version 4: version 5's members, then what differs (Q… in docs/internals/express4.md).
import { IncomingMessage } from '../../http/index.ts';
import { request as request5 } from '../request.ts';
import { copyMembers } from './copy-members.ts';

type Members = Record<string, unknown>;

export const request: Members = copyMembers(request5, IncomingMessage.prototype);
