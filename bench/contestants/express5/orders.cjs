// What `json-transform` computes for each request, in the JavaScript that an application would have: a
// filter, a map, a group, a sort.
'use strict';

/** Revenue of the paid orders by country, the largest first, each with its three largest customers. */
function summarise(orders) {
  const lines = orders
    .filter(({ status }) => status === 'paid')
    .map(({ customer, country, items }) => ({
      customer,
      country,
      total: items.reduce((sum, item) => sum + item.quantity * item.cents, 0),
    }));
  const countries = new Map();
  for (const { customer, country, total } of lines) {
    const entry = countries.get(country) ?? { country, orders: 0, total: 0, customers: {} };
    entry.orders += 1;
    entry.total += total;
    entry.customers[customer] = (entry.customers[customer] ?? 0) + total;
    countries.set(country, entry);
  }
  return [...countries.values()].sort((a, b) => b.total - a.total).map((entry) => ({ ...entry, customers: largest(entry.customers) }));
}

function largest(totals) {
  return Object.entries(totals)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, 3)
    .map(([name, total]) => ({ name, total }));
}

module.exports = { summarise };
