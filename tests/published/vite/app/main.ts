import { name } from './bird.ts';
import data from './data.json';
import logo from './logo.svg?url';
import raw from './data.json?raw';

export const all: readonly unknown[] = [name, data, logo, raw, import.meta.env.MODE];
if (import.meta.hot) import.meta.hot.accept();
document.title = name;
