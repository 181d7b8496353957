/**
 * A table that all instances of a shop count in, asked in the engine's own SQL: `rate-limiter-flexible` knows how to
 * count without losing any.
 */
export interface RateLimitTable {
  readonly table: string
  query(asked: { text: string; values?: readonly unknown[] }): Promise<{ rows: unknown[]; rowCount: number }>
}
