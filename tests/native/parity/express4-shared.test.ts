/** The parity suite of express4-shared with our side on the QuickJS host. */
import { defineNativeShared } from './define.ts';

await defineNativeShared();
