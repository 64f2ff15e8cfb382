// Chooses the storage: PostgreSQL when there is a URL, memory otherwise. The driver is loaded only when it is used.
export async function openStorage({ databaseUrl, poolSize }) {
  if (databaseUrl === undefined || databaseUrl === '') {
    const { openMemoryStorage } = await import('./memory.js');
    return openMemoryStorage();
  }
  const { openPostgresStorage } = await import('./postgres.js');
  return openPostgresStorage({ databaseUrl, poolSize });
}
