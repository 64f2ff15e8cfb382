/** Which texts are looked at at all: those that name a module whose imports are compiled. */
export const USES_TYPES = /['"]fulmar\/(?:types|rpc)['"]/;
