/**
 * `Intl.NumberFormat` as `en-US` writes numbers, percentages and amounts of money.
 */
export type NumberOptions = Intl.NumberFormatOptions;

const DIGITS_MAX = 100;
/** What American English writes instead of a currency's code. */
const SYMBOLS: Readonly<Record<string, string>> = {
  USD: '$',
  EUR: '€',
  GBP: '£',
  JPY: '¥',
  INR: '₹',
  CNY: 'CN¥',
  KRW: '₩',
  CAD: 'CA$',
  AUD: 'A$',
  MXN: 'MX$',
  BRL: 'R$',
};
const WITHOUT_CENTS: ReadonlySet<string> = new Set(['JPY', 'KRW', 'VND', 'CLP', 'ISK', 'PYG', 'UGX', 'XAF', 'XOF']);

function digits(value: unknown, name: string, fallback: number): number {
  if (value === undefined) return fallback;
  const count = Number(value);
  if (!Number.isFinite(count) || count < 0 || count > DIGITS_MAX) throw new RangeError(`${name} value is out of range.`);
  return Math.trunc(count);
}

export class NumberFormatter {
  readonly #least: number;
  readonly #most: number;
  readonly #groups: boolean;
  readonly #percent: boolean;
  readonly #prefix: string;

  /**
   * Throws a `RangeError` for what is not here: the style `unit`, other notations than `standard`,
   * significant digits.
   */
  constructor(options: NumberOptions = {}) {
    const style = options.style ?? 'decimal';
    if (style !== 'decimal' && style !== 'percent' && style !== 'currency') throw unavailable('style', style);
    const currency = style === 'currency' ? currencyOf(options) : undefined;
    this.#prefix = currency === undefined ? '' : prefixOf(currency, options.currencyDisplay ?? 'symbol');
    const notation = options.notation ?? 'standard';
    if (notation !== 'standard') throw unavailable('notation', notation);
    if (options.maximumSignificantDigits !== undefined) throw unavailable('maximumSignificantDigits', options.maximumSignificantDigits);
    this.#percent = style === 'percent';
    const cents = currency === undefined ? undefined : WITHOUT_CENTS.has(currency) ? 0 : 2;
    const asked = options.maximumFractionDigits === undefined ? DIGITS_MAX : Number(options.maximumFractionDigits);
    this.#least = digits(options.minimumFractionDigits, 'minimumFractionDigits', Math.min(cents ?? 0, asked));
    this.#most = digits(options.maximumFractionDigits, 'maximumFractionDigits', Math.max(cents ?? (this.#percent ? 0 : 3), this.#least));
    if (this.#least > this.#most) throw new RangeError('maximumFractionDigits value is out of range.');
    this.#groups = options.useGrouping === undefined || (options.useGrouping as unknown) !== false;
  }

  format(given: number | bigint): string {
    const text = typeof given === 'bigint' ? String(given) : decimalText(given);
    const sign = text.startsWith('-') ? '-' : '';
    const end = this.#percent ? '%' : '';
    const digitsOnly = sign === '' ? text : text.slice(1);
    // A currency's code is set apart from digits only.
    if (!/^\d/.test(digitsOnly)) return `${sign}${this.#prefix.trimEnd()}${digitsOnly}${end}`;
    const [whole = '0', fraction = ''] = rounded(this.#percent ? shifted(digitsOnly) : digitsOnly, this.#most).split('.');
    let kept = fraction.padEnd(this.#least, '0');
    while (kept.length > this.#least && kept.endsWith('0')) kept = kept.slice(0, -1);
    return `${sign}${this.#prefix}${this.#grouped(whole)}${kept === '' ? '' : `.${kept}`}${end}`;
  }

  #grouped(whole: string): string {
    return this.#groups ? whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',') : whole;
  }
}

/** The shortest digits that mean this number, without an exponent. */
function decimalText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value < 0 ? '-∞' : '∞';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const [mantissa = '0', exponent = '0'] = String(Math.abs(value)).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const places = Number(exponent);
  if (places === 0) return sign + mantissa;
  if (places > 0) return sign + whole + fraction.padEnd(places, '0');
  return `${sign}0.${'0'.repeat(-places - whole.length)}${whole}${fraction}`;
}

/** A hundred times as much. */
function shifted(text: string): string {
  const [whole = '0', fraction = ''] = text.split('.');
  const moved = fraction.padEnd(2, '0');
  const rest = moved.slice(2);
  return `${(whole + moved.slice(0, 2)).replace(/^0+(?=\d)/, '')}${rest === '' ? '' : `.${rest}`}`;
}

/** At most so many digits behind the point; halves away from zero. */
function rounded(text: string, fractionDigits: number): string {
  const [whole = '0', fraction = ''] = text.split('.');
  if (fraction.length <= fractionDigits) return text;
  const kept = BigInt(whole + fraction.slice(0, fractionDigits)) + ((fraction[fractionDigits] ?? '0') >= '5' ? 1n : 0n);
  const shown = String(kept).padStart(fractionDigits + 1, '0');
  return fractionDigits === 0 ? shown : `${shown.slice(0, -fractionDigits)}.${shown.slice(-fractionDigits)}`;
}

function currencyOf({ currency }: NumberOptions): string {
  if (currency === undefined) throw new TypeError('Currency code is required with currency style.');
  if (!/^[A-Za-z]{3}$/.test(currency)) throw new RangeError(`Invalid currency code : ${currency}`);
  return currency.toUpperCase();
}

function prefixOf(currency: string, display: string): string {
  if (display !== 'symbol' && display !== 'code' && display !== 'narrowSymbol') throw unavailable('currencyDisplay', display);
  const symbol = display === 'code' ? undefined : SYMBOLS[currency];
  return symbol ?? `${currency}\u00a0`;
}

function unavailable(name: string, value: unknown): RangeError {
  return new RangeError(
    `Intl.NumberFormat: ${name} ${String(value)} is not available in the native runtime; format such numbers with a package`,
  );
}
