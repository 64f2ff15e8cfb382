/**
 * Libraries that many applications never use, behind functions, so that there is one place that decides when
 * they are loaded. Everything rare goes through here.
 */
import mime4_ from 'mime4';
import qs4_ from 'qs4';

// The versions that Express 4 uses. They differ in behaviour, so they cannot be shared.
export const mime4 = (): typeof mime4_ => mime4_;
export const qs4 = (): typeof qs4_ => qs4_;
