/**
 * `node:constants`: those of `node:os`, `node:fs` and `node:crypto` in one object, as old packages have them.
 */
import crypto from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';

const { errno, priority, signals, dlopen } = os.constants;

export default Object.freeze({ ...dlopen, ...errno, ...priority, ...signals, ...fs.constants, ...crypto.constants });
