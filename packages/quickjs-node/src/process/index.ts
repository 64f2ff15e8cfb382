/**
 * `node:process`
 */
export default globalThis.process;
