/** Listens on PORT, or on 3000. */
import type { AddressInfo } from 'node:net';
import { createApp } from './app.ts';

const server = createApp().listen(Number(process.env['PORT'] ?? 3000), (error) => {
  if (error) throw error;
  const { port } = server.address() as AddressInfo;
  console.log(`listening on http://localhost:${port}`);
});

// At SIGTERM Fulmar stops listening and lets requests that are being answered finish. Close what the application holds
// open (a database, say) when that is done:
server.on('close', () => console.log('closed'));
