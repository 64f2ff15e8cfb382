/** `node:console`: the global console, which offers `Console`. */
import { createGlobalConsole } from './console.ts';

export default createGlobalConsole();
