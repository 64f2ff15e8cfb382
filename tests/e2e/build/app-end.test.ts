/** How an app ends in files for Node. */
import { describe } from 'node:test';
import { appProject, defineAppEnds } from './app-end-cases.ts';
import { file } from './support.ts';

describe('an app in a built file', { concurrency: 2 }, () => {
  defineAppEnds(async (text) => file.run(await file.build(appProject(text), 'main.mjs')));
});
