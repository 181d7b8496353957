/**
 * Rate limit table shared by all instances, in the shape of a `pg` client: `rate-limiter-flexible` sends its own SQL,
 * which counts atomically.
 */
export interface RateLimitTable {
  readonly table: string
  /** Runs a statement on the table, with its parameters. */
  query(query: { text: string; values?: readonly unknown[] }): Promise<{ rows: unknown[]; rowCount: number }>
}
