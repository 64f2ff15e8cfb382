/**
 * The line that says where the first server listens and what stands for which package: for somebody who sits
 * at a terminal.
 */
import type { AddressInfo } from 'node:net';
import { beforeFirstServer } from '../lifecycle/first-server.ts';
import { paintFor } from './paint.ts';
import { writeLine } from './tell.ts';

export interface StartFacts {
  /** Of Fulmar. */
  readonly version: string;
  /** As `describeStandIns` tells them. */
  readonly packages: readonly string[];
  /** `undefined`: one process, without a primary. */
  readonly workers?: number | undefined;
}

interface Listening {
  address(): AddressInfo | string | null;
}

/**
 * Once for this process, whose standard error is a terminal: when its first server listens, before the
 * application hears of it.
 */
export function announceFirst(toFacts: () => StartFacts): void {
  beforeFirstServer((server) => announce(server, toFacts()));
}

/** A server that cannot say where it listens is not told of: the line is no reason to end an application. */
export function announce(server: unknown, facts: StartFacts): void {
  try {
    writeLine(startLine(server as Listening, facts));
  } catch {
    // The application's own address() threw.
  }
}

function startLine(server: Listening, { version, packages, workers }: StartFacts): string {
  const { bold, dim } = paintFor({ isTTY: true });
  const parts = [
    bold(`fulmar ${version}`),
    `http on ${describeAddress(server.address())}`,
    ...(workers === undefined ? [] : [`${workers} ${workers === 1 ? 'worker' : 'workers'}`]),
    ...packages,
  ];
  return parts.join(dim(' · '));
}

export function describeAddress(address: AddressInfo | string | null): string {
  // A name of a socket may have anything in it, also what a terminal acts on.
  if (address === null || typeof address === 'string') return address?.replaceAll(/[^\x20-\x7e\xa0-\uffff]/g, '?') ?? 'no address';
  return `${address.address.includes(':') ? `[${address.address}]` : address.address}:${address.port}`;
}
