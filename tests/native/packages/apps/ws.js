import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
const server = createServer((_req, res) => void res.end('http'));
const sockets = new WebSocketServer({
  server,
  path: '/socket',
  perMessageDeflate: process.env['TEST_DEFLATE'] === '1',
});
sockets.on('connection', (socket, request) => {
  socket.send(`welcome ${request.url ?? ''}`);
  socket.on('message', (data, isBinary) => {
    const text = data.toString();
    if (text === 'end') socket.close(4001, 'as asked');
    else if (text === 'all') for (const client of sockets.clients) client.send('to all');
    else socket.send(data, { binary: isBinary });
  });
});
server.listen(0, '127.0.0.1', () => console.log(`PORT ${server.address().port}`));
