/** The Koa example does under `fulmar run` what it does under plain node. */
import { defineExample } from '../support/example.ts';
import { play } from './play.ts';
import { scenarios } from './scenarios.ts';

defineExample({
  title: 'the Koa example',
  folder: 'koa-app',
  scenarios,
  play,
  logOf: (lines) => lines.filter((line) => /^[A-Z]+ \/.* ms$/.test(line)).map((line) => line.replace(/[\d.]+ ms$/, '<ms>')),
  linesMin: 50,
});
