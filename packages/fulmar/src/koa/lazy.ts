/**
 * Libraries that many applications never use, behind functions, so that there is one place that decides when
 * they are loaded: on their first call in the built package. Names that end in a digit are those of Koa 2 or
 * of both; what Express uses too is in `web/lazy.ts`.
 */
import contentDisposition_ from 'content-disposition1';
import contentDisposition4_ from 'content-disposition4';
import contentType4_ from 'content-type4';
import co_ from 'co';
import Cookies_ from 'cookies';
import debug_ from 'debug';
import encodeUrl_ from 'encodeurl';
import encodeUrl1_ from 'encodeurl1';
import fresh4_ from 'fresh4';
import httpAssert_ from 'http-assert';
import mime2_ from 'mime-types2';
import vary_ from 'vary';

export const contentDisposition = (): typeof contentDisposition_ => contentDisposition_;
export const contentDisposition4 = (): typeof contentDisposition4_ => contentDisposition4_;
export const contentType4 = (): typeof contentType4_ => contentType4_;
export const co = (): typeof co_ => co_;
export const Cookies = (): typeof Cookies_ => Cookies_;
export const debug = (): typeof debug_ => debug_;
export const encodeUrl = (): typeof encodeUrl_ => encodeUrl_;
export const encodeUrl1 = (): typeof encodeUrl1_ => encodeUrl1_;
export const fresh4 = (): typeof fresh4_ => fresh4_;
export const httpAssert = (): typeof httpAssert_ => httpAssert_;
export const mime2 = (): typeof mime2_ => mime2_;
export const vary = (): typeof vary_ => vary_;
