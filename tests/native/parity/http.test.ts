/** The parity suite of http with our side on the native host. */
import { defineNative } from './define.ts';

await defineNative('http');
