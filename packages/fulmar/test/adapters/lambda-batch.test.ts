/**
 * Records and partial failures, by AWS's documented events.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { batch, type BatchRecord } from '../../src/adapters/lambda/index.ts';
import { RECORDED_DYNAMODB, RECORDED_KINESIS, RECORDED_SQS, RECORDED_V2 } from './events.ts';

const logger = { error: () => {} };
const context = { awsRequestId: 'id-1' };
const failing = (...ids: string[]) => {
  const worked: string[] = [];
  const handler = batch(
    (record) => {
      const id = record.messageId ?? record.kinesis?.sequenceNumber ?? record.dynamodb?.SequenceNumber ?? '';
      worked.push(id);
      if (ids.includes(id)) throw new Error(`of ${id}`);
    },
    { logger },
  );
  return { handler, worked };
};

const [first = '', second = ''] = RECORDED_SQS.Records.map(({ messageId }) => messageId);

describe('batch', () => {
  it('names nothing where all went well', async () => {
    const { handler, worked } = failing();
    assert.deepEqual(await handler(RECORDED_SQS, context), { batchItemFailures: [] });
    assert.deepEqual(worked, [first, second]);
  });

  it('SQS: names those that failed, and works on all', async () => {
    const { handler, worked } = failing(first);
    assert.deepEqual(await handler(RECORDED_SQS, context), { batchItemFailures: [{ itemIdentifier: first }] });
    assert.deepEqual(worked, [first, second]);
  });

  it('SQS FIFO: names what stands behind a failure, too, and does not begin it', async () => {
    const fifo = { Records: RECORDED_SQS.Records.map((record) => ({ ...record, eventSourceARN: `${record.eventSourceARN}.fifo` })) };
    const { handler, worked } = failing(first);
    assert.deepEqual(await handler(fifo, context), { batchItemFailures: [first, second].map((itemIdentifier) => ({ itemIdentifier })) });
    assert.deepEqual(worked, [first]);
  });

  for (const [name, event] of [
    ['Kinesis', RECORDED_KINESIS],
    ['DynamoDB', RECORDED_DYNAMODB],
  ] as const) {
    const [one = ''] = (event.Records as readonly BatchRecord[]).map(
      ({ kinesis, dynamodb }) => kinesis?.sequenceNumber ?? dynamodb?.SequenceNumber ?? '',
    );
    it(`${name}: names where the stream is to go on, and stops there`, async () => {
      const { handler, worked } = failing(one);
      assert.deepEqual(await handler(event as never, context), { batchItemFailures: [{ itemIdentifier: one }] });
      assert.deepEqual(worked, [one]);
    });
  }

  it('gives the record and the context, and waits for promises', async () => {
    const seen: unknown[] = [];
    await batch(async (record, given) => {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push([record.body, given === context]);
    })(RECORDED_SQS, context);
    assert.deepEqual(seen, [
      ['Test message.', true],
      ['Another message.', true],
    ]);
  });

  it('works on no more records at once than it may', async () => {
    let open = 0;
    let most = 0;
    const Records = Array.from({ length: 20 }, (_, at) => ({ ...RECORDED_SQS.Records[0], messageId: String(at) }));
    const work = async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open--;
    };
    await batch(work, { concurrency: 3 })({ Records }, context);
    assert.equal(most, 3);
  });

  it('tells the log why', async () => {
    const lines: unknown[] = [];
    const handler = batch(() => Promise.reject(new Error('no')), {
      logger: { error: (line, error) => lines.push(line, (error as Error).message) },
    });
    await handler({ Records: RECORDED_SQS.Records.slice(0, 1) }, context);
    assert.deepEqual(lines, [`The record ${first} failed`, 'no']);
  });

  it('refuses requests, and records that nobody can name', async () => {
    for (const event of [RECORDED_V2, {}, null, { Records: [{ EventSource: 'aws:sns' }] }])
      await assert.rejects(batch(() => {})(event as never, context), /batch\(\) takes events of SQS, Kinesis and DynamoDB/);
  });

  it('refuses what is no function, and options that are none', () => {
    assert.throws(() => batch('x' as never), /batch\(\) takes a function \(record, context\), and this is string/);
    assert.throws(() => batch(() => {}, { concurrency: 0 }), /concurrency of batch\(\) is a number of records/);
    assert.throws(() => batch(() => {}, { parallel: 1 } as never), /batch\(\) has no option parallel/);
  });
});
