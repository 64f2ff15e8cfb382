/** The parity suite of express4 with our side on the native host. */
import { defineNative } from './define.ts';

await defineNative('express4');
