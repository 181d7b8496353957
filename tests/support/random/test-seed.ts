/**
 * Returns `TEST_SEED`, the seed of the random tests of a run; null: each test draws its own. Throws if it is not an
 * integer.
 */
export function seedFrom({ TEST_SEED }: Readonly<Record<string, string | undefined>>): number | null {
  if (!TEST_SEED) return null
  const seed = Number(TEST_SEED)
  if (!Number.isSafeInteger(seed)) throw new Error(`TEST_SEED is not an integer: ${TEST_SEED}`)
  return seed
}
