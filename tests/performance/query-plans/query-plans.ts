import { CompiledQuery, type Kysely, sql } from "kysely"
import { isShared } from "~/billing/embedded/db/engines/postgresql.server"
import type { Tables } from "~/billing/embedded/db/schema/schema"

/** Tables that grow with sales or visits. */
const growing: readonly string[] = Object.keys({
  clients: 1,
  former_emails: 1,
  orders: 1,
  order_lines: 1,
  order_events: 1,
  external_orders: 1,
  invoices: 1,
  services: 1,
  payments: 1,
  payment_attempts: 1,
  coin_references: 1,
  gateway_events: 1,
  credits: 1,
  credit_movements: 1,
  credit_entries: 1,
  credit_balances: 1,
  affiliate_clicks: 1,
  outbox: 1,
  mails: 1,
  tax_documents: 1,
} satisfies Partial<Record<keyof Tables, 1>>)

/** Maximum rows of a growing table that a query may read; batches are smaller. */
const MAX_ROWS = 260

/** On small tables PostgreSQL prefers a sequential scan, so the planner is forced to show whether an index exists. */
type Planner = "held to indexes" | "left to itself"

/** Returns the plan lines of scans on growing tables; empty if the statement uses indexes. */
export function walksOf(
  db: Kysely<Tables>,
  query: CompiledQuery,
  planner: Planner = "held to indexes",
): Promise<string[]> {
  if (/^\s*insert/i.test(query.sql)) return Promise.resolve([])
  return isShared(db) ? walksOfPostgresql(db, query, planner) : walksOfSqlite(db, query)
}

type SqlitePlan = { readonly parent: number; readonly detail: string }

/** SQLite's plan has no row counts, but its statistics have the number of rows per leading values of an index. */
async function walksOfSqlite(
  db: Kysely<Tables>,
  { sql: text, parameters }: CompiledQuery,
): Promise<string[]> {
  const explained = CompiledQuery.raw(`explain query plan ${text}`, [...parameters])
  const { rows } = await db.executeQuery<SqlitePlan>(explained)
  const rowsPer = await statistics(db)
  const isLimited = /\blimit \?|\blimit \d/.test(text)
  // Rows that are sorted have all been read, whatever the limit.
  const sorted = rows
    .filter(({ detail }) => detail === "USE TEMP B-TREE FOR ORDER BY")
    .map(({ parent }) => parent)
  const walks = rows.filter(({ detail, parent }) =>
    isWalk(detail, rowsPer, isLimited && !sorted.includes(parent)),
  )
  return walks.map(({ detail }) => detail)
}

function isWalk(detail: string, rowsPer: Statistics, isBounded: boolean): boolean {
  const [, how, table = "", rest = ""] = /^(SCAN|SEARCH) (\S+)(.*)$/.exec(detail) ?? []
  if (!how || !growing.includes(table)) return false
  const index = /USING (?:COVERING )?INDEX (\S+)/.exec(rest)?.[1]
  if (!index || rest.includes("ANY(")) return true
  if (isBounded) return false
  const equal = [...rest.matchAll(/[a-z_]+=\?/g)].length
  return (rowsPer.get(index)?.[equal] ?? 0) > MAX_ROWS
}

/** By index: number of rows, of rows equal in the first column, in the first two, … */
type Statistics = ReadonlyMap<string, readonly number[]>

async function statistics(db: Kysely<Tables>): Promise<Statistics> {
  const { rows } = await sql<{
    idx: string | null
    stat: string
  }>`select idx, stat from rows_by_index`.execute(db)
  return new Map(rows.flatMap(({ idx, stat }) => (idx ? [[idx, stat.split(" ").map(Number)]] : [])))
}

type Node = {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly Plans?: readonly Node[]
}
type PostgresqlPlan = { readonly "QUERY PLAN": readonly [{ readonly Plan: Node }] }

/** Executes the statement and rolls it back: the rows that it reads are counted. */
async function walksOfPostgresql(
  db: Kysely<Tables>,
  { sql: text, parameters }: CompiledQuery,
  planner: Planner,
): Promise<string[]> {
  const explained = CompiledQuery.raw(`explain (analyze, format json) ${text}`, [...parameters])
  let walks: string[] = []
  const takenBack = new Error("taken back")
  const work = db.transaction().execute(async (tx) => {
    if (planner === "held to indexes") {
      await sql`select set_config('enable_seqscan', 'off', true), set_config('random_page_cost', '1', true)`.execute(
        tx,
      )
    }
    const { rows } = await tx.executeQuery<PostgresqlPlan>(explained)
    walks = rows.flatMap((row) => nodesIn(row["QUERY PLAN"][0].Plan)).flatMap(walkIn)
    throw takenBack
  })
  await work.catch((error: unknown) => {
    if (error !== takenBack) throw error
  })
  return walks
}

function nodesIn(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesIn)]
}

function walkIn(node: Node): string[] {
  const table = node["Relation Name"]
  if (!table || !growing.includes(table) || node["Actual Loops"] === 0) return []
  const each =
    node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0)
  const read = Math.round(each * node["Actual Loops"])
  const isWhole = node["Node Type"] === "Seq Scan"
  if (!isWhole && read <= MAX_ROWS) return []
  return [`${node["Node Type"]} on ${table} by ${node["Index Name"] ?? "nothing"}: ${read} rows`]
}
