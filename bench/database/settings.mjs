/**
 * The server's settings that differ from PostgreSQL's defaults, with the reason of each: recorded with every
 * result. All contestants meet the same server. Nothing else is tuned. Never read from the environment.
 */

/** Given to `postgres` as `-c name=value`. */
export const settings = [
  { name: 'max_connections', value: '200', reason: 'the default of 100 leaves no room beside a pool of 100' },
  {
    name: 'shared_buffers',
    value: '256MB',
    reason: 'the default of 128MB, doubled: both tables stay in memory, so no read waits for a disk',
  },
  { name: 'fsync', value: 'off', reason: 'the latency of a disk is no property of an HTTP server; the folder is thrown away' },
  { name: 'TimeZone', value: 'UTC', reason: 'the same text for timestamps on every machine' },
  { name: 'unix_socket_directories', value: '', reason: 'TCP on 127.0.0.1 alone, as contestants connect' },
];

/** Settings that the cluster gets from initdb, and how tables are made. */
export const initSettings = [
  { name: 'initdb --locale', value: 'C', reason: 'the same order of text on every machine' },
  { name: 'initdb --auth', value: 'scram-sha-256', reason: 'other users of the machine stay out; costs only when a connection opens' },
  { name: 'autovacuum_enabled on inserted', value: 'off', reason: 'the table is truncated between rounds' },
];
