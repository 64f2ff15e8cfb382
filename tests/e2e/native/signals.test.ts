/** Signals in executables. */
import { definePlay } from '../build/signal-cases.ts';
import { executable } from '../build/support.ts';

definePlay(executable);
