import { UsageError } from "./command"

const MAX = 10_000

/** The value of `--limit`. Throws `UsageError` if it is not between 1 and 10 000. */
export function limitIn(value: string | undefined, usual: number): number {
  if (value === undefined) return usual
  const limit = /^\d+$/.test(value) ? Number(value) : 0
  if (limit < 1 || limit > MAX) throw new UsageError(`--limit must be between 1 and ${MAX}.`)
  return limit
}
