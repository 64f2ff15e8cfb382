// `express.application` of version 4: version 5's members, then what differs (A… in docs/internals/express4.md).
import { application as application5 } from '../application.ts';
import type { Application } from '../application-type.ts';
import { copyMembers } from './copy-members.ts';

export const application: Application = copyMembers(application5, Object.prototype);
