/**
 * `import model from './model.py'`, as `fulmar run` resolves it, for TypeScript: `"types": ["fulmar/polyglot/modules"]` of
 * `tsconfig.json`. Of a file that `fulmar polyglot types` was run for, its own types are found first.
 */
declare module '*.py' {
  const module: import('fulmar/polyglot').GuestObject;
  export default module;
}

declare module '*.rb' {
  const module: import('fulmar/polyglot').GuestObject;
  export default module;
}

declare module '*.java' {
  const module: import('fulmar/polyglot').GuestObject;
  export default module;
}
