/** A page, and the socket that it opens: who says something is heard by all. */
import type { AnyContext, Socket, SocketMessage } from 'fulmar';
import type { RouteContext } from 'fulmar/routes';
import { html, page } from '../../lib/layout.ts';
import { signedIn } from '../../lib/users.ts';

const LINE_LENGTH_MAX = 500;

const script = `
  const socket = new WebSocket(location.href.replace(/^http/, 'ws'));
  socket.onmessage = ({ data }) => {
    const line = document.createElement('li');
    line.textContent = data;
    document.querySelector('#said').append(line);
  };
  document.querySelector('form').onsubmit = (event) => {
    event.preventDefault();
    socket.send(event.target.line.value);
    event.target.reset();
  };
`;

export async function GET(c: RouteContext<'/live'>) {
  const user = await signedIn(c);
  const content = html`<h1>Live</h1>
    <ol id="said"></ol>
    <form>
      <label>Line <input name="line" /></label>
    </form>`;
  c.header('Content-Security-Policy', "default-src 'self'; script-src 'unsafe-inline'; connect-src 'self' ws: wss:");
  return c.html(page('Live', user?.name, content).replace('</body>', () => `<script>${script}</script></body>`));
}

type Visitor = Socket<SocketMessage, { name: string }>;

const open = new Set<Visitor>();

export const websocket = {
  upgrade: async (c: AnyContext) => ({ name: (await signedIn(c))?.name ?? 'somebody' }),
  open(socket: Visitor) {
    open.add(socket);
    tell(`${socket.data.name} is here`);
  },
  message(socket: Visitor, message: SocketMessage) {
    if (typeof message !== 'string' || message.length > LINE_LENGTH_MAX)
      return socket.close(1009, `lines have up to ${LINE_LENGTH_MAX} characters`);
    return tell(`${socket.data.name}: ${message}`);
  },
  close(socket: Visitor) {
    open.delete(socket);
    tell(`${socket.data.name} has gone`);
  },
};

function tell(line: string): void {
  for (const socket of open) void socket.send(line);
}
