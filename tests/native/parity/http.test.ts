/** The parity suite of http with our side on the QuickJS host. */
import { defineNative } from './define.ts';

await defineNative('http');
