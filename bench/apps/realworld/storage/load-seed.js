// Makes the tables and fills them with the seed, in one transaction, at every start: the demo always begins the same.
import { readFile } from 'node:fs/promises';
import { createSeed } from './seed.js';

const tables = [
  ['users', 'id integer, username text, email text, "passwordHash" text, bio text, image text'],
  [
    'articles',
    'id integer, slug text, title text, description text, body text, "tagList" text[], "authorId" integer, "createdAt" timestamptz, "updatedAt" timestamptz',
  ],
  ['comments', 'id integer, "articleId" integer, "authorId" integer, body text, "createdAt" timestamptz, "updatedAt" timestamptz'],
  ['follows', '"followerId" integer, "followedId" integer'],
  ['favorites', '"articleId" integer, "userId" integer'],
];
/** Any number, the same in every process: two that start at once take turns. */
const lock = 1_815_12_10;

export async function loadSeed(pool) {
  const seed = await createSeed();
  const schema = await readFile(new URL('schema.sql', import.meta.url), 'utf8');
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [lock]);
    await client.query(schema);
    for (const [table, columns] of tables) await fill(client, { table, columns, rows: seed[table] });
    await client.query('INSERT INTO tags SELECT unnest($1::text[])', [seed.tags]);
    await client.query('COMMIT');
    await client.query('ANALYZE users, articles, comments, follows, favorites, tags');
  } finally {
    client.release();
  }
}

async function fill(client, { table, columns, rows }) {
  const names = columns.split(', ').map((column) => column.split(' ')[0].replaceAll('"', ''));
  const target = names.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).join(', ');
  const source = names.map((name) => `"${name}"`).join(', ');
  await client.query(`INSERT INTO ${table} (${target}) SELECT ${source} FROM jsonb_to_recordset($1) AS row (${columns})`, [
    JSON.stringify(rows),
  ]);
  if (names[0] === 'id') await client.query('SELECT setval(pg_get_serial_sequence($1, $2), $3)', [table, 'id', rows.length]);
}
