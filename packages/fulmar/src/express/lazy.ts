/**
 * Libraries that many applications never use, behind functions, so that there is one place that decides when they are
 * loaded. Everything rare goes through here.
 */
import accepts_ from 'accepts';
import accepts4_ from 'accepts4';
import cookieSignature_ from 'cookie-signature';
import mime4_ from 'mime4';
import proxyAddr_ from 'proxy-addr';
import qs4_ from 'qs4';
import typeIs4_ from 'type-is4';

export const accepts = (): typeof accepts_ => accepts_;
export const cookieSignature = (): typeof cookieSignature_ => cookieSignature_;
export const proxyAddr = (): typeof proxyAddr_ => proxyAddr_;

// The versions that Express 4 uses. They differ in behaviour, so they cannot be shared.
export const accepts4 = (): typeof accepts4_ => accepts4_;
export const mime4 = (): typeof mime4_ => mime4_;
export const qs4 = (): typeof qs4_ => qs4_;
export const typeIs4 = (): typeof typeIs4_ => typeIs4_;
