/** The parity suite of express with our side on the QuickJS host. */
import { defineNative } from './define.ts';

await defineNative('express');
