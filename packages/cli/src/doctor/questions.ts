/**
 * Which requests are sent, and to which server: the paths the user named, and GET routes without parameters.
 */
import { type Address, ask } from './ask.ts';
import type { DoctorOptions } from './arguments.ts';
import type { ProcessFacts, ServerFacts } from './protocol-types.ts';
import type { Sent } from './report.ts';
import type { Session } from './session.ts';

export interface PlannedQuestion {
  readonly address: Address;
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: string | undefined;
  readonly isNamed: boolean;
}

/** Routes are asked for where their application listens, or at the first server; without any route `/` is. */
export function chooseQuestions(processes: readonly ProcessFacts[], options: DoctorOptions): PlannedQuestion[] {
  const servers = processes.flatMap((facts) => facts.servers.filter(isOnFulmar).map((server) => ({ facts, server })));
  const [first] = servers;
  if (first === undefined) return [];
  const { headers } = options;
  const named = options.paths.map((path) => ({
    address: first.server.address as Address,
    method: options.method,
    path,
    headers,
    body: options.body,
    isNamed: true,
  }));
  const found = processes.flatMap((facts) =>
    facts.applications.flatMap(({ id, routes }) => {
      const home = servers.find((one) => one.facts === facts && one.server.application === id) ?? first;
      const paths = routes.filter(
        ({ needsValues, methods }) => !needsValues && methods.some((method) => method === 'GET' || method === 'ALL'),
      );
      return paths.map(({ path }) => ({ address: home.server.address as Address, path: encodeURI(path) }));
    }),
  );
  const unique = [...new Map(found.map((one) => [`${JSON.stringify(one.address)} ${one.path}`, one])).values()];
  const others = plainServers(processes).map((server) => ({ address: server.address as Address, path: '/' }));
  const asked = [...unique, ...others].slice(0, options.routes);
  return [...named, ...asked.map((one) => ({ ...one, method: 'GET', headers, body: undefined, isNamed: false }))];
}

function isOnFulmar({ host, kind, address }: ServerFacts): boolean {
  return host === 'Fulmar' && kind === 'http' && address !== undefined;
}

/** Servers that no known application is behind: `/` is all there is to ask. */
function plainServers(processes: readonly ProcessFacts[]): ServerFacts[] {
  return processes.flatMap(({ servers, applications }) => {
    const plain = servers.filter((server) => isOnFulmar(server) && server.application === undefined);
    return applications.some(({ routes }) => routes.length > 0) ? [] : plain;
  });
}

/**
 * One after the other, so that what a process sees belongs to one question. `facts` are those behind the last
 * answer: an application that a question ends takes them with it.
 */
export async function sendQuestions(
  questions: readonly PlannedQuestion[],
  session: Session,
): Promise<{ sent: Sent[]; facts: ProcessFacts[] }> {
  const sent: Sent[] = [];
  let facts: ProcessFacts[] = [];
  for (const { address, isNamed, ...question } of questions) {
    if (session.isOver()) break;
    const answer = await ask(address, question).catch((error: Error) => error);
    if (answer instanceof Error) await session.mayBeOver();
    sent.push({ method: question.method, path: question.path, isNamed, answer });
    if (session.isOver()) break;
    facts = await session.facts();
  }
  return { sent, facts };
}
