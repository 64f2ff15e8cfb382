/** Numbers as people read them. Rounds for display only; nothing is computed from what it returns. */

/** Three significant digits, thousands separated by commas; `–` for what is missing. */
export function number(value, digits = 3) {
  if (value === undefined || value === null || !Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString('en-US', { minimumFractionDigits: Math.min(decimals, 3), maximumFractionDigits: Math.min(decimals, 3) });
}

export function integer(value) {
  return value === undefined || !Number.isFinite(value) ? '–' : Math.round(value).toLocaleString('en-US');
}

export function percent(value, decimals = 0) {
  return value === undefined || !Number.isFinite(value) ? '–' : `${(value * 100).toFixed(decimals)} %`;
}

/** Microseconds, in ms from 1,000 on. */
export function micros(value) {
  if (value === undefined) return '–';
  return value >= 999.5 ? `${number(value / 1000)} ms` : `${number(value)} µs`;
}

export function megabytes(bytes) {
  return bytes === undefined ? '–' : `${number(bytes / 1_048_576)} MiB`;
}

/** `0.39 (0.37 – 0.40)` */
export function withSpread(summary, show = ratio) {
  if (summary === undefined) return '–';
  return `${show(summary.median)} (${show(summary.low)} – ${show(summary.high)})`;
}

export function ratio(value) {
  return value === undefined || !Number.isFinite(value) ? '–' : value.toFixed(value >= 10 ? 1 : 2);
}

export function times(value) {
  return value === undefined ? '–' : `${ratio(value)}×`;
}

/** Three significant digits: a million cheap replies cost less than a cent. */
export function dollars(value) {
  if (value === undefined || !Number.isFinite(value)) return '–';
  const decimals = value === 0 ? 2 : Math.max(2, 2 - Math.floor(Math.log10(value)));
  return `$${value.toFixed(decimals)}`;
}
