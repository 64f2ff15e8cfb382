// Settings of version 4 that are compiled when they are set (A… in docs/internals/express4.md).
export { compileEtag, compileQueryParser, compileTrust } from '../settings.ts';
