/**
 * Tokens that mean the same in every application.
 */

/** The request, in what is made for one. */
export const REQUEST = 'REQUEST';
/** Who is injected into, in what is made for each. */
export const INQUIRER = 'INQUIRER';

export const APP_GUARD = 'APP_GUARD';
export const APP_INTERCEPTOR = 'APP_INTERCEPTOR';
export const APP_PIPE = 'APP_PIPE';
export const APP_FILTER = 'APP_FILTER';

export const GLOBAL_ENHANCERS: ReadonlySet<unknown> = new Set([APP_GUARD, APP_INTERCEPTOR, APP_PIPE, APP_FILTER]);
