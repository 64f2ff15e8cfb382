/**
 * "Did you mean" of the commands: one copy of it in the command line's bundle, whoever asks.
 */
export { nearest } from '../../fulmar/src/host/suggest.ts';
