import { python } from 'fulmar/polyglot';

await python.import('./python/nowhere.py');
