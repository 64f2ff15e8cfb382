/** The example application does under `fulmar run` what it does under plain node. */
import { defineExample } from '../support/example.ts';
import { play } from './play.ts';
import { scenarios } from './scenarios.ts';

defineExample({
  title: 'the example application',
  folder: 'express-app',
  scenarios,
  play,
  logOf: (lines) =>
    lines
      .filter((line) => /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) /.test(line) && !line.includes('failed:'))
      .map((line) => line.replace(/[\d.]+ ms$/, '<ms>').replace(/ \d+ - <ms>$/, ' <n> - <ms>')),
  linesMin: 100,
});
