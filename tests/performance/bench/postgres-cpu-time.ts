import pg from "pg"
import { familySeconds, parentOf } from "./cpu-time"

/**
 * Processor time of the PostgreSQL server and its descendants, in milliseconds. The server is the parent of each
 * connection's process.
 */
export async function postgresTime(databaseUrl: string): Promise<number> {
  return familySeconds(await postgresServer(databaseUrl)) * 1_000
}

/** Process id of the PostgreSQL server. */
export function postgresServer(databaseUrl: string): Promise<number> {
  return queryOne(databaseUrl, "select pg_backend_pid() as pid", ({ pid }) => parentOf(Number(pid)))
}

/** Reads one row while the connection is open. */
export async function queryOne<T>(
  databaseUrl: string,
  sql: string,
  read: (row: Record<string, unknown>) => T,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query(sql)
  const result = read(rows[0])
  await client.end()
  return result
}
