/** `node:path/win32` */
import path from 'node:path';

export default path.win32;
