/** Signals in files for Node. */
import { definePlay } from './signal-cases.ts';
import { file } from './support.ts';

definePlay(file);
