// The rows of the table: which figure is divided by which, and what the quotient may be at most.

/** Rows from the loaded rounds: CPU per verified reply of `of` divided by that of `to`, in the same round. */
export const loadRows = [
  { name: 'fulmar/http hello vs node:http', of: 'fulmar/http', to: 'node:http', target: 0.6 },
  { name: 'fulmar/express hello JSON vs express@5 on node:http', of: 'fulmar/express', to: 'express@5', target: 0.3 },
  { name: 'fulmar/express hello JSON vs Elysia on Bun', of: 'fulmar/express', to: 'elysia on bun', target: 1 },
  { name: 'fulmar/express hello JSON vs floor', of: 'fulmar/express', to: 'floor', target: 1.5 },
  { name: 'five middleware + route vs hello (ours)', of: 'fulmar/express, 5 middleware', to: 'fulmar/express', target: 1.15 },
  { name: '1,000 parameter routes, last one vs hello (ours)', of: 'fulmar/express, 1,000 routes', to: 'fulmar/express', target: 1.1 },
  { name: 'POST JSON 201 with express.json() vs express@5', of: 'fulmar/express, POST', to: 'express@5, POST', target: 0.35 },
  { name: 'static file 10 KB vs express@5', of: 'fulmar/express, static', to: 'express@5, static', target: 0.35 },
  {
    name: 'unmodified npm express@5 on fulmar/http vs on node:http',
    of: 'express@5 on fulmar/http',
    to: 'express@5',
    target: 0.9,
    below: true,
  },
];

/** Ours against ours: what differs here is noise. */
export const noiseRow = { name: 'A/A: fulmar/express hello JSON vs itself', of: 'fulmar/express again', to: 'fulmar/express' };

export const startRows = [
  { name: 'start of `fulmar run`, express app, vs plain node', app: 'start-express.cjs', target: 1.15 },
  { name: 'start of `fulmar run`, node:http app, vs plain node', app: 'start-http.cjs', target: 1.15 },
];

export const memoryRows = {
  idle: { name: 'idle RSS vs express@5 on node:http', of: 'fulmar/express', to: 'express@5', target: 0.85 },
  connection: { name: 'RSS per idle keep-alive connection, KiB', of: 'fulmar/express', to: 'express@5', target: 8, unit: 'KiB' },
};

/** A row with its figures: one quotient per round. `undefined` when a side has none. */
export function judge(row, values, reason) {
  const sorted = values.toSorted((a, b) => a - b);
  const median = quantile(sorted, 0.5);
  const result = {
    name: row.name,
    target: row.target,
    unit: row.unit ?? 'ratio',
    values,
    median,
    low: sorted[0],
    high: sorted.at(-1),
    reason,
  };
  if (median === undefined) return { ...result, verdict: 'void' };
  if (row.target === undefined) return { ...result, verdict: 'noise' };
  return { ...result, verdict: (row.below ? median < row.target : median <= row.target) ? 'met' : 'missed' };
}

/** Quantile of sorted numbers, between neighbours. */
export function quantile(sorted, q) {
  if (sorted.length === 0) return undefined;
  const position = (sorted.length - 1) * q;
  const low = Math.floor(position);
  return sorted[low] + (sorted[Math.ceil(position)] - sorted[low]) * (position - low);
}
