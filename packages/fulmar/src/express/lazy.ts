// Libraries that many applications never use, behind functions, so that there is one place that decides when they are
// loaded. Everything rare goes through here.
import accepts_ from 'accepts';
import iconv_ from 'iconv-lite';
import mime_ from 'mime-types';
import proxyAddr_ from 'proxy-addr';
import qs_ from 'qs';
import rawBody_ from 'raw-body';
import typeIs_ from 'type-is';

export const accepts = (): typeof accepts_ => accepts_;
export const iconv = (): typeof iconv_ => iconv_;
export const mime = (): typeof mime_ => mime_;
export const proxyAddr = (): typeof proxyAddr_ => proxyAddr_;
export const qs = (): typeof qs_ => qs_;
export const rawBody = (): typeof rawBody_ => rawBody_;
export const typeIs = (): typeof typeIs_ => typeIs_;
