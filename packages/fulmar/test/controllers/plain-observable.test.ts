/**
 * Operators of `rxjs` on Observables that are not its own.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  catchError,
  concat,
  defer,
  delay,
  finalize,
  firstValueFrom,
  from,
  isObservable,
  lastValueFrom,
  map,
  mergeMap,
  of,
  retry,
  switchMap,
  take,
  tap,
  throwError,
  timeout,
  toArray,
  type Observable,
} from 'rxjs';
import { PlainObservable } from '../../src/controllers/pipeline/plain-observable.ts';

const plain = (start: ConstructorParameters<typeof PlainObservable>[0]): Observable<any> => new PlainObservable(start) as never;
const values = (...given: unknown[]): Observable<any> =>
  plain((subscriber) => {
    for (const value of given) subscriber.next(value);
    subscriber.complete();
  });

test('operators take it as they take their own', async () => {
  assert.ok(isObservable(values()));
  const all = (source: Observable<unknown>): Promise<unknown[]> => lastValueFrom(source.pipe(toArray()));
  assert.deepEqual(
    await all(
      values(1, 2).pipe(
        map((value) => value * 2),
        tap(() => undefined),
      ),
    ),
    [2, 4],
  );
  assert.deepEqual(await all(values(1, 2).pipe(mergeMap((value) => of(value).pipe(delay(1))))), [1, 2]);
  assert.deepEqual(await all(concat(values(1), of(2))), [1, 2]);
  assert.deepEqual(await all(from(values(1))), [1]);
  assert.deepEqual(await all(of(1).pipe(switchMap(() => values('inner')))), ['inner']);
  assert.deepEqual(await all(values(1, 2, 3).pipe(take(2))), [1, 2]);
  assert.equal(await firstValueFrom(values('first', 'second')), 'first');
  assert.deepEqual(await all(defer(() => values(1))), [1]);
});

test('errors go through operators, and are tried again', async () => {
  let asked = 0;
  const failing = plain((subscriber) => {
    asked += 1;
    if (asked < 3) subscriber.error(new Error('not yet'));
    else {
      subscriber.next(asked);
      subscriber.complete();
    }
  });
  assert.equal(await lastValueFrom(failing.pipe(retry(2))), 3);
  const thrown = plain(() => {
    throw new Error('at once');
  });
  await assert.rejects(lastValueFrom(thrown), /at once/);
  assert.equal(await lastValueFrom(thrown.pipe(catchError((error: Error) => of(error.message)))), 'at once');
  await assert.rejects(lastValueFrom(values(1).pipe(mergeMap(() => throwError(() => new Error('behind'))))), /behind/);
});

test('who leaves ends what it stands on', async () => {
  const ended: string[] = [];
  const endless = plain(() => () => ended.push('source'));
  const subscription = endless.pipe(finalize(() => ended.push('finalize'))).subscribe();
  subscription.unsubscribe();
  await assert.rejects(lastValueFrom(endless.pipe(timeout(1))), /Timeout/);
  assert.deepEqual(ended.toSorted(), ['finalize', 'source', 'source']);
});
