/** `node:punycode`: the package that Node carries, for programs that still use it. */
import punycode from 'punycode/punycode.es6.js';

// Node stayed at that version; what came later changed no answer.
export default { ...punycode, version: '2.1.0' };
