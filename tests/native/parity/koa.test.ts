/** The parity suite of koa with our side on the QuickJS host. */
import { defineNative } from './define.ts';

await defineNative('koa');
