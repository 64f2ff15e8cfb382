/** Listens on PORT, or on 3000. */
import { createApp } from './app.js';

const server = createApp().listen(Number(process.env['PORT'] ?? 3000), (error) => {
  if (error) throw error;
  const { port } = server.address();
  console.log(`listening on http://localhost:${port}`);
});

// At SIGTERM Fulmar stops listening and lets requests that are being answered finish. Close what the application holds
// open (a database, say) when that is done:
server.on('close', () => console.log('closed'));
