/**
 * The functions that compiled sources call (decorators, lowered private fields), for bundles that hold such
 * sources.
 */
export { decoratorHelpers } from '../../compile/decorator-helpers.ts';
