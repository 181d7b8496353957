import { readdirSync, readFileSync } from "node:fs"
import pg from "pg"

/** Linux counts processor time in hundredths of a second. */
const TICKS = 100

/** Of the server and all that it has begun, in milliseconds. */
export async function postgresTime(databaseUrl: string): Promise<number> {
  const server = await asked(
    databaseUrl,
    "select pg_backend_pid() as pid",
    ({ pid }) => timesOf(String(pid))?.parent,
  )
  if (!server) throw new Error("Only on Linux is the processor time of other programs known")
  const family = readdirSync("/proc").flatMap((pid) => timesOf(pid) ?? [])
  const ticks = family.filter((it) => it.pid === server || it.parent === server).map((it) => it.ticks)
  return (ticks.reduce((sum, it) => sum + it, 0) * 1_000) / TICKS
}

/** Reads one row while the connection is open. */
export async function asked<T>(
  databaseUrl: string,
  sql: string,
  read: (row: Record<string, unknown>) => T,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query(sql)
  const answer = read(rows[0])
  await client.end()
  return answer
}

/** Fields 4 and 14 to 17 of proc_pid_stat(5); null for what is no process, or has ended. */
function timesOf(pid: string): { pid: string; parent: string; ticks: number } | null {
  if (!/^\d+$/.test(pid)) return null
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
    const ticks = fields.slice(11, 15).reduce((sum, it) => sum + Number(it), 0)
    return { pid, parent: fields[1] ?? "", ticks }
  } catch {
    return null
  }
}
