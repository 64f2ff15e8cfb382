/**
 * The documents that servers read, and what must be made of them, computed here in another way than the
 * contestants do. Pure.
 */

/**
 * Knuth's multiplicative hash: varied enough that compression and sorting have work to do, and the same in
 * every run.
 */
const codeOf = (number) => (number * 2_654_435_761) % 2 ** 32;

/** An item of the list of 58 KB. */
export function listItem(index) {
  const code = codeOf(index);
  return {
    id: index + 1,
    sku: code.toString(16).padStart(8, '0'),
    name: `Item ${(code % 9973) + 1} of series ${index % 17}`,
    price: (code % 100_000) / 100,
    stock: code % 211,
    tags: [`t${code % 31}`, `t${code % 37}`],
    active: index % 3 !== 0,
  };
}

const countries = ['AR', 'BR', 'CA', 'DE', 'EG', 'FR', 'GH', 'IN', 'JP', 'KE', 'MX', 'NZ'];
const statuses = ['paid', 'paid', 'open', 'paid', 'cancelled'];

/** An order of the list of 100 KB. */
export function order(index) {
  const code = codeOf(index + 1);
  return {
    id: index + 1,
    customer: `Customer ${code % 97}`,
    country: countries[code % countries.length],
    status: statuses[index % statuses.length],
    items: Array.from({ length: 1 + (code % 3) }, (_, at) => ({
      sku: codeOf(code + at)
        .toString(16)
        .padStart(8, '0'),
      quantity: 1 + ((code + at) % 5),
      cents: 99 + ((code + at) % 4900),
    })),
  };
}

const totalOf = ({ items }) => items.map(({ quantity, cents }) => quantity * cents).reduce((a, b) => a + b, 0);
const sum = (list) => list.reduce((a, b) => a + totalOf(b), 0);

/** Paid orders by country and, within it, by customer: the largest first. */
export function summaryOf(orders) {
  const paid = orders.filter(({ status }) => status === 'paid');
  const groups = (list, key) => [...new Set(list.map((one) => one[key]))].map((value) => [value, list.filter((one) => one[key] === value)]);
  const byTotal = (a, b) => b.total - a.total;
  return groups(paid, 'country')
    .map(([country, list]) => ({
      country,
      orders: list.length,
      total: sum(list),
      customers: groups(list, 'customer')
        .map(([name, own]) => ({ name, total: sum(own) }))
        .toSorted((a, b) => byTotal(a, b) || (a.name < b.name ? -1 : 1))
        .slice(0, 3),
    }))
    .toSorted(byTotal);
}

/** The page that the template gives; no value needs escaping. */
export function pageOf(title, items) {
  const row = ({ id, name, price, stock, tags, active }) => {
    const cells = [id, name, price.toFixed(2), stock, tags.map((tag) => `<i>${tag}</i>`).join('')];
    return `<tr class="${active ? 'active' : 'resting'}">${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>\n`;
  };
  const head = `<!doctype html>\n<html>\n<head><title>${title}</title></head>\n<body>\n<h1>${title}</h1>\n<table>\n`;
  return `${head}${items.map(row).join('')}</table>\n</body>\n</html>\n`;
}
