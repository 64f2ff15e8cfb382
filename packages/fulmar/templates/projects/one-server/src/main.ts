/** Listens on PORT, or on 3000. */
import { createServerApp } from './app.ts';

const app = createServerApp();

// At SIGTERM Fulmar stops listening and lets requests that are being answered finish. Close what the application holds
// open (a database, say) when that is done:
app.onStop(() => console.log('closed'));

const { url } = await app.listen();
console.log(`listening on ${url}`);
