/** What serves an application that the entry of an executable only exports: loaded when it may. */
export { serveExport } from '../../exported/index.ts';
export { tell } from '../../terminal/tell.ts';
