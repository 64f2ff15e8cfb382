/** How an app ends in executables. */
import { describe } from 'node:test';
import { appProject, defineAppEnds } from '../build/app-end-cases.ts';
import { executable } from '../build/support.ts';

describe('an app in an executable', { concurrency: 2 }, () => {
  defineAppEnds(async (text) => executable.run(await executable.build(appProject(text), 'main.mjs')));
});
