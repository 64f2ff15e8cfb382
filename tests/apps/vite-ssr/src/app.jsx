import { Suspense, use } from 'react';
import styles from './app.module.css';
import mark from './mark.svg';

function Birds({ load }) {
  return (
    <ul className={styles.birds}>
      {use(load).map((bird) => (
        <li key={bird}>{bird} 🐦</li>
      ))}
    </ul>
  );
}

export function App({ url, load }) {
  if (url.startsWith('/broken')) throw new Error('this page is broken');
  return (
    <main>
      <h1>Fåglar på {url}</h1>
      <img src={mark} alt="" />
      <Suspense fallback={<p>Laddar …</p>}>
        <Birds load={load} />
      </Suspense>
    </main>
  );
}
