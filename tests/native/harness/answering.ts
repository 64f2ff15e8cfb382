/**
 * The program inside a child that is asked (`asked.ts`): gives each request to a function and writes what
 * comes of it.
 */
import readline from 'node:readline';

export async function answering(answer: (request: never) => unknown): Promise<void> {
  const reply = async (line: string): Promise<void> => {
    const { id, request } = JSON.parse(line) as { id: number; request: never };
    const result = await Promise.resolve(answer(request)).catch((error: unknown) => ['thrown', String(error)]);
    process.stdout.write(`${JSON.stringify({ id, result: result ?? null })}\n`);
  };
  for await (const line of readline.createInterface({ input: process.stdin })) void reply(line);
}
