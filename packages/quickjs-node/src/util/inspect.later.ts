/**
 * `util.inspect` and `util.format`: loaded when something is shown.
 */
import { validateObject } from '../shared/validators.ts';
import { colored, colors, defaults, styles } from './inspect/context.ts';
import { formatAll, formatWithOptions } from './inspect/format.ts';
import { stripVTControlCharacters, widthOf } from './inspect/text.ts';
import { inspect, setPublic } from './inspect/value.ts';

/** Sets what `util.inspect` offers beside the function. */
export function setMember(name: 'colors' | 'styles' | 'defaultOptions', value: object): void {
  validateObject(value, 'options');
  Object.assign({ colors, styles, defaultOptions: defaults }[name], value);
}

export {
  colored,
  colors,
  defaults as defaultOptions,
  formatAll,
  formatWithOptions,
  inspect,
  setPublic,
  stripVTControlCharacters,
  styles,
  widthOf,
};
