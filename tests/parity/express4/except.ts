/** Cases of Express 5 that are not run on Express 4, with the reason. */
import type { Exception } from '../harness/suite.ts';

/** Such a request would be waited for until the deadline; in `promises.test.ts` the client ends them. */
const REJECTS = 'Express 4 leaves a rejected promise alone, so that the request is never answered';
/** `response.test.ts` has the same calls, without a reply that lacks promised bytes. */
const HANGS = 'the status is refused only when the head is written, which leaves a reply that never ends';

export const EXCEPT: readonly Exception[] = [
  { name: 'an async param callback that rejects reaches the error handler', reason: REJECTS },
  { name: 'an error after the head ends the connection, prints, and the next connection works', reason: REJECTS },
  { name: /passed to next, thrown and rejected with goes where upstream sends it$/, reason: REJECTS },
  { name: 'error handlers run in order, pass on, replace and recover', reason: REJECTS },
  { name: 'thenables that are not promises are awaited with a deprecation note', reason: REJECTS },
  { name: 'a param callback that returns a thenable is awaited with a deprecation note', reason: REJECTS },
  { name: 'a thenable whose then throws is a rejection', reason: REJECTS },
  {
    name: 'app.listen hands a taken port to its callback as an error, once',
    reason: 'Express 4 never calls back with an error: it is uncaught, names a random port, and nothing answers',
  },
  { name: /^a redirect with the status (number (99|1000|NaN)|string |object null|undefined)/, reason: HANGS },
  { name: /^NaN is sent alike by send, json, jsonp/, reason: HANGS },
  { name: 'res.status(code).send("body") for every kind of code', reason: HANGS },
  { name: 'res.sendStatus(code) for every kind of code', reason: HANGS },
];
