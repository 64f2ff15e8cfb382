/**
 * Whether `node:diagnostics_channel` has been loaded: before that nobody listens to what the console prints.
 */
export const channels = { areLoaded: false };
