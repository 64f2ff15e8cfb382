/**
 * What `readable-stream` takes as its `state`: default high-water marks, those of Node 22 and later.
 */
import { invalidArgValue } from '../shared/errors.ts';
import { validateInteger } from '../shared/validators.ts';

let bytesDefault = 64 * 1024;
let objectsDefault = 16;

export function getDefaultHighWaterMark(objectMode: boolean): number {
  return objectMode ? objectsDefault : bytesDefault;
}

export function setDefaultHighWaterMark(objectMode: boolean, value: number): void {
  validateInteger(value, 'value', 0);
  if (objectMode) objectsDefault = value;
  else bytesDefault = value;
}

export function getHighWaterMark(
  state: { objectMode: boolean },
  options: Record<string, unknown>,
  duplexKey: string,
  isDuplex: boolean,
): number {
  const given = options['highWaterMark'] ?? (isDuplex ? options[duplexKey] : null);
  if (given === null || given === undefined) return getDefaultHighWaterMark(state.objectMode);
  if (!Number.isInteger(given) || (given as number) < 0) {
    throw invalidArgValue(isDuplex ? `options.${duplexKey}` : 'options.highWaterMark', given);
  }
  return given as number;
}
