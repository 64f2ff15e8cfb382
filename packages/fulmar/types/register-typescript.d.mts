/** `fulmar/register/typescript` is loaded for what it does, with `node --import` or `--require`; it exports nothing. Types only. */
export {};
