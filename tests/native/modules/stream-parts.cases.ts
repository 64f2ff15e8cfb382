import { PassThrough, Readable } from 'node:stream';
import promises from 'node:stream/promises';
import { cases } from '../harness/cases.ts';

export default cases('stream/promises', {
  finished: [
    () => promises.finished(Readable.from(['a']).resume()),
    async () => {
      const made = new PassThrough();
      const end = promises.finished(made);
      made.destroy(new Error('x'));
      return end;
    },
  ],
  pipeline: [
    async () => {
      const end = new PassThrough({ encoding: 'utf8' });
      await promises.pipeline(Readable.from(['p']), end);
      return end.read();
    },
    () =>
      promises.pipeline(Readable.from(['p']), async (source) => {
        let text = '';
        for await (const part of source) text += String(part);
        return text;
      }),
    () =>
      promises
        .pipeline(Readable.from(['p']), new PassThrough(), { signal: AbortSignal.abort() })
        .catch(({ name, message, code }: NodeJS.ErrnoException) => [name, message, code]),
    async () => {
      const end = new PassThrough();
      await promises.pipeline(Readable.from(['p']), end, { end: false });
      return end.writableEnded;
    },
  ],
});
