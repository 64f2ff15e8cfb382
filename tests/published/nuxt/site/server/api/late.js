import { setTimeout as sleep } from 'node:timers/promises';

export default defineEventHandler((event) => {
  const pieces = async function* () {
    yield 'one';
    await sleep(20);
    yield 'two';
  };
  setResponseHeader(event, 'Content-Type', 'text/plain');
  return sendStream(event, ReadableStream.from(pieces()).pipeThrough(new TextEncoderStream()));
});
