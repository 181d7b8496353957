import type { BulkItem, BulkRuns } from "~/billing/operators/bulk-runs"

const AT_ONCE = 1_000

/** All rows of a run, in the order in which they were chosen, read in pieces. */
export async function* resultOf(
  { bulk }: { readonly bulk: Pick<BulkRuns, "items"> },
  id: string,
): AsyncGenerator<BulkItem> {
  for (let after = -1; ; ) {
    const items = await bulk.items(id, { after, limit: AT_ONCE })
    yield* items
    const last = items.at(-1)
    if (!last || items.length < AT_ONCE) return
    after = last.position
  }
}

/** Columns of a result, and their texts. Times are UTC. */
export const resultColumns: { readonly [name: string]: (item: BulkItem) => string | null } = {
  number: ({ item }) => item,
  result: ({ state }) => state,
  why: ({ skip }) => skip,
  time: ({ at }) => (at === null ? null : new Date(at).toISOString()),
}
