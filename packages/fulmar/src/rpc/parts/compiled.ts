/** Parameters that the compiler knows to be files and streams: whether they are, and what the items of a stream are. */
import type { CompiledPart } from '../api-types.ts';
import { InvalidParams, type RpcIssue } from '../errors.ts';
import { isIncomingFile } from './incoming-file.ts';
import { IncomingStream, type JudgeItem } from './incoming-stream.ts';

/** @throws InvalidParams for a file or a stream that is none */
export function withParts(values: readonly unknown[], parts: readonly CompiledPart[]): readonly unknown[] {
  const args = [...values];
  const issues: RpcIssue[] = [];
  const tell = (path: readonly number[], kind: string): void =>
    void issues.push({ path, expected: kind, message: `Expected ${kind}, which a client sends as a part of its call.` });
  for (const { at, kind, many, isOptional = false, items } of parts) {
    const value = args[at];
    if (many === undefined && value === undefined && isOptional) continue;
    if (kind === 'stream') {
      if (value instanceof IncomingStream) args[at] = items === undefined ? value : value.of(items['~standard'].validate as JudgeItem);
      else tell([at], kind);
    } else if (many === 'list') {
      for (const [number, one] of ((value as readonly unknown[] | undefined) ?? []).entries())
        if (!isIncomingFile(one)) tell([at, number], kind);
    } else {
      for (let number = at; number < (many === 'rest' ? args.length : at + 1); number += 1)
        if (!isIncomingFile(args[number])) tell([number], kind);
    }
  }
  if (issues.length > 0) throw new InvalidParams(issues);
  return args;
}
