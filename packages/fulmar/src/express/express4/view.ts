// Template files of version 4 (A… in docs/internals/express4.md).
export { View } from '../view.ts';
