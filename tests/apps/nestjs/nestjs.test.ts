/**
 * NestJS on its Express adapter, compiled under node and under `fulmar run`, and from its TypeScript source
 * under `fulmar run`: guards, pipes, interceptors, filters, uploads, files, event streams, a socket.io
 * gateway, shutdown hooks.
 */
import { compareApp } from '../support/compare.ts';
import { compile } from '../support/compile.ts';
import { chat } from './conversations/chat.ts';
import { files } from './conversations/files.ts';
import { requests } from './conversations/requests.ts';
import { shutdown } from './conversations/shutdown.ts';
import { streams } from './conversations/streams.ts';

const folder = new URL('./', import.meta.url);

compareApp({
  name: 'NestJS',
  folder,
  prepare: () => compile(folder),
  file: 'dist/main.js',
  sides: [{ file: 'dist/main.js' }, { file: 'src/main.ts' }],
  express: 'fulmar/express',
  handlesSigterm: true,
  masks: [
    { pattern: /\[Nest\] \d+ {2}- [\d/]+, [\d:]+ [AP]M/g, by: '[Nest] <pid>, <time>' },
    { pattern: /"sid":"[^"]+"/g, by: '"sid":"<sid>"' },
  ],
  conversations: [...requests, ...files, ...streams, ...chat, ...shutdown],
});
