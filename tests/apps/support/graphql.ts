/**
 * What clients of a GraphQL server send: operations over HTTP, uploads as multipart, and operations over
 * WebSocket.
 */
import { createClient } from 'graphql-ws';
import type { Client as SocketClient, SubscribePayload } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { Client, Reply } from '../../e2e/support/client.ts';
import { MULTIPART, toMultipart } from '../../e2e/support/multipart.ts';
import type { Part } from '../../e2e/support/multipart.ts';

export interface Operation {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly operationName?: string;
  readonly extensions?: Record<string, unknown>;
}

type Fields = Readonly<Record<string, string>>;

/** A client of one endpoint. */
export class GraphQL {
  readonly client: Client;
  readonly path: string;

  constructor(client: Client, path: string) {
    this.client = client;
    this.path = path;
  }

  send(operation: Operation | readonly Operation[], headers: Fields = {}): Promise<Reply> {
    return this.client.json(this.path, operation, headers);
  }

  query(query: string, variables: Record<string, unknown> = {}, headers: Fields = {}): Promise<Reply> {
    return this.send({ query, variables }, headers);
  }

  /** Over GET, everything in the query of the target. */
  get({ query, variables, operationName, extensions }: Operation, headers: Fields = {}): Promise<Reply> {
    const target = new URLSearchParams({ query });
    if (variables !== undefined) target.set('variables', JSON.stringify(variables));
    if (operationName !== undefined) target.set('operationName', operationName);
    if (extensions !== undefined) target.set('extensions', JSON.stringify(extensions));
    return this.client.get(`${this.path}?${target}`, headers);
  }

  /** As the GraphQL multipart request specification has it: operations, map, files. */
  upload(operation: Operation, files: Readonly<Record<string, Omit<Part, 'name'>>>, headers: Fields = {}): Promise<Reply> {
    const names = Object.keys(files);
    const map = Object.fromEntries(names.map((name, index) => [String(index), [name]]));
    const parts: Part[] = [
      { name: 'operations', value: JSON.stringify(operation) },
      { name: 'map', value: JSON.stringify(map) },
      ...names.map((name, index) => ({ ...files[name], name: String(index) }) as Part),
    ];
    return this.client.post(this.path, toMultipart(parts), { ...MULTIPART, ...headers });
  }
}

export function openSocket(url: string, connectionParams: Record<string, unknown> = {}): SocketClient {
  return createClient({ url: url.replace('http:', 'ws:'), webSocketImpl: WebSocket, connectionParams, retryAttempts: 0 });
}

/**
 * All results of an operation over WebSocket, its errors among them; ends it itself after `enough` of them.
 */
export function follow(socket: SocketClient, operation: SubscribePayload, enough = Number.POSITIVE_INFINITY): Promise<unknown[]> {
  const seen: unknown[] = [];
  return new Promise((resolve) => {
    const end = socket.subscribe(operation, {
      next: (result) => {
        seen.push(result);
        if (seen.length === enough) end();
      },
      error: (error) => resolve([...seen, { error: toPlain(error) }]),
      complete: () => resolve(seen),
    });
  });
}

function toPlain(error: unknown): unknown {
  if (error instanceof Error) return error.message;
  const { code, reason } = error as { code?: number; reason?: string };
  return code === undefined ? error : { code, reason };
}
