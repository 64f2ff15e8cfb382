/** What an executable says at a terminal when its first server listens: loaded there alone. */
export { announce } from '../../terminal/start-line.ts';
