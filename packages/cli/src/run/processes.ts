/** Ways to run an application in other processes. A bundle of its own, loaded when one is asked for. */
export { startAgain } from './reexec.ts';
export { runWorkers } from './workers.ts';
