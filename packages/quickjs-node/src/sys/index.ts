/** `node:sys`: the old name of `node:util`. */
import util from 'node:util';

export default util;
