/**
 * Records of SQS, Kinesis and DynamoDB: each is handed to a function, and those that failed are named, so
 * that the queue gives them again and not the whole batch. Needs `ReportBatchItemFailures` of the event source.
 */
import type { LambdaContext } from './event-types.ts';
import { checkOptions, expected } from '../options.ts';

export interface BatchRecord {
  readonly eventSource?: string;
  readonly eventSourceARN?: string;
  /** Of SQS. */
  readonly messageId?: string;
  readonly body?: string;
  readonly kinesis?: { readonly sequenceNumber: string; readonly data: string };
  readonly dynamodb?: { readonly SequenceNumber?: string };
}

export interface BatchResult {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

export interface BatchOptions {
  /** Records of a standard queue that are worked on at once. Default: 10. Others have an order, which is kept. */
  readonly concurrency?: number;
  /** Is told why a record failed. Default: `console`. */
  readonly logger?: { error(message: string, error: unknown): void };
}

export type BatchHandler<Item extends BatchRecord> = (
  event: { readonly Records: readonly Item[] },
  context: LambdaContext,
) => Promise<BatchResult>;

const WHO = 'batch()';
const CONCURRENCY = 10;

interface Failing {
  readonly failed: Set<string>;
  readonly logger: NonNullable<BatchOptions['logger']>;
}

/** @throws TypeError for what is no function, and for options that are none */
export function batch<Item extends BatchRecord = BatchRecord>(
  work: (record: Item, context: LambdaContext) => unknown,
  options: BatchOptions = {},
): BatchHandler<Item> {
  if (typeof work !== 'function') throw new TypeError(`${WHO} takes a function (record, context), and this is ${typeof work}.`);
  checkOptions(WHO, options, {
    concurrency: (value) => expected(Number.isSafeInteger(value) && (value as number) > 0, 'a number of records'),
    logger: (value) => expected(typeof (value as BatchOptions['logger'])?.error === 'function', 'an object with error(…)'),
  });
  const { concurrency = CONCURRENCY, logger = console } = options;
  return async (event, context) => {
    const records = recordsOf<Item>(event);
    const failing: Failing = { failed: new Set(), logger };
    const run = (record: Item): Promise<boolean> => attempt(record, () => work(record, context), failing);
    if (records.some(isOrdered)) await inOrder(records, run, failing);
    else await atOnce(records, run, concurrency);
    return { batchItemFailures: [...failing.failed].map((itemIdentifier) => ({ itemIdentifier })) };
  };
}

function recordsOf<Item extends BatchRecord>(event: unknown): readonly Item[] {
  const records = (event as { readonly Records?: unknown } | null)?.Records;
  const known = Array.isArray(records) && (records as Item[]).every((record) => identifierOf(record) !== undefined);
  if (known) return records as Item[];
  throw new TypeError(`${WHO} takes events of SQS, Kinesis and DynamoDB streams, and this one has no such records.`);
}

const identifierOf = ({ messageId, kinesis, dynamodb }: BatchRecord): string | undefined =>
  messageId ?? kinesis?.sequenceNumber ?? dynamodb?.SequenceNumber;

/** Streams, and queues whose name ends in `.fifo`. */
const isOrdered = ({ messageId, eventSourceARN }: BatchRecord): boolean =>
  messageId === undefined || eventSourceARN?.endsWith('.fifo') === true;

async function attempt(record: BatchRecord, call: () => unknown, { failed, logger }: Failing): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (error) {
    const id = identifierOf(record) as string;
    logger.error(`The record ${id} failed`, error);
    failed.add(id);
    return false;
  }
}

/** Behind one that failed nothing is begun: a stream goes on from there, of a queue all are named. */
async function inOrder<Item extends BatchRecord>(
  records: readonly Item[],
  run: (record: Item) => Promise<boolean>,
  { failed }: Failing,
): Promise<void> {
  for (const [at, record] of records.entries()) {
    if (await run(record)) continue;
    if (record.messageId !== undefined) for (const later of records.slice(at + 1)) failed.add(later.messageId as string);
    return;
  }
}

async function atOnce<Item>(records: readonly Item[], run: (record: Item) => Promise<boolean>, concurrency: number): Promise<void> {
  const waiting = records.values();
  const worker = async (): Promise<void> => {
    for (const record of waiting) await run(record);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, records.length) }, worker));
}
