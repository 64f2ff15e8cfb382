/** The page: who is there, a form, the list, and what happens meanwhile. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Live } from './live.tsx';
import { AddSighting } from './new-sighting.tsx';
import { type Session, SignIn } from './session.tsx';
import { Sightings } from './sightings.tsx';
import './page.css';

const cache = new QueryClient();

function Page() {
  const [session, setSession] = useState<Session>();
  return (
    <main>
      <h1>Sightings</h1>
      {session === undefined ? (
        <SignIn onSession={setSession} />
      ) : (
        <>
          <p id="who">{session.name}</p>
          <AddSighting session={session} />
        </>
      )}
      <Sightings session={session} />
      <Live />
    </main>
  );
}

const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no element with the id root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={cache}>
      <Page />
    </QueryClientProvider>
  </StrictMode>,
);
