/**
 * The way back from the parts of a value to what shows values: `value.ts` stands above the files that show
 * parts, and puts its functions here.
 */
import type { formatProperty, formatValue, inspect } from './value.ts';

export const recursion = {} as { value: typeof formatValue; property: typeof formatProperty; inspect: typeof inspect };
