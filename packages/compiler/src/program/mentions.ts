/** TypeScript that is compiled. Of a module with a query (`?raw`, a part of a component) another one is made. */
export const TYPESCRIPT = /\.[cm]?tsx?$/;

/** Which texts are looked at at all: those that name a module whose imports are compiled. */
export const USES_TYPES = /['"]fulmar\/(?:types|rpc)['"]/;
