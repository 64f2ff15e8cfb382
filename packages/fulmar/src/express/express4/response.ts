/**
 * `express.response` of version 4: version 5's members, then what differs (S… in docs/internals/express4.md).
 */
import { ServerResponse } from '../../http/index.ts';
import { response as response5 } from '../response.ts';
import { defineLocals } from '../response-locals.ts';
import { copyMembers } from './copy-members.ts';
import { fileMembers } from './response-files.ts';
import { headerMembers } from './response-headers.ts';
import { sendMembers } from './response-send.ts';

type Members = Record<string, unknown>;

/** Beneath `express.response`, which shows no such member: `res.locals` until it is first read. */
const withLocals = Object.create(ServerResponse.prototype) as object;
defineLocals(withLocals);

export const response: Members = Object.assign(copyMembers(response5, withLocals), headerMembers, sendMembers, fileMembers);

delete response.locals;
