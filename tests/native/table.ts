/**
 * Writes `docs/reference/native.md` from what the tests declare and both hosts list:
 *   node --import ./scripts/ts-register.mjs tests/native/table.ts   (with the newest Node, whose members are the longest list)
 */
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { makePage, NODE_MAJOR, PAGE } from './harness/page.ts';

const major = Number(process.versions.node.split('.')[0]);
if (major === NODE_MAJOR) writeFileSync(PAGE, await makePage());
else throw new Error(`the page lists the members of Node ${NODE_MAJOR}; this is Node ${major}`);
