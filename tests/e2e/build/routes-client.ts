/** Asks for a path as it is written: nothing of it is resolved on the way. */
import http from 'node:http';

export interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function rawRequest(port: number, { method, path, headers }: Asked): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (message) => {
      let text = '';
      message.setEncoding('utf8').on('data', (piece: string) => void (text += piece));
      message.once('end', () => resolve({ status: message.statusCode ?? 0, headers: message.headers, text })).once('error', reject);
    });
    request.once('error', reject).end();
  });
}
