/** `express.response`: what Express adds to responses, put together from its parts. */
import { ServerResponse } from '../http/index.ts';
import { fileMembers } from './response-files.ts';
import { headerMembers } from './response-headers.ts';
import { defineLocals } from './response-locals.ts';
import { negotiationMembers } from './response-negotiation.ts';
import { sendMembers } from './response-send.ts';

export const response = Object.assign(
  Object.create(ServerResponse.prototype) as Record<string, unknown>,
  headerMembers,
  sendMembers,
  fileMembers,
  negotiationMembers,
);

defineLocals(response);
