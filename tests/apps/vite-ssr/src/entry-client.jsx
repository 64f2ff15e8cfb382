import { hydrateRoot } from 'react-dom/client';
import { App } from './app.jsx';

hydrateRoot(document.getElementById('root'), <App url={location.pathname} load={Promise.resolve(window.birds)} />);
