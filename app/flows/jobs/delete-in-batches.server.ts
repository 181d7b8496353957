/** Batches that are deleted at once: what an earlier version has left behind is deleted in several turns. */
const BATCHES = 100

/** Deletes what is old batch by batch, so that no transaction is long. `deleteBatch`: returns how many it has deleted. */
export async function deleteInBatches(deleteBatch: () => Promise<number>): Promise<number> {
  let deleted = 0
  for (let batch = 0; batch < BATCHES; batch++) {
    const count = await deleteBatch()
    if (count === 0) break
    deleted += count
  }
  return deleted
}
