/** The seed that `TEST_SEED` names for the random tests of a run; null: each draws one of its own. Throws for anything but an integer. */
export function seedFrom({ TEST_SEED }: Readonly<Record<string, string | undefined>>): number | null {
  if (!TEST_SEED) return null
  const seed = Number(TEST_SEED)
  if (!Number.isSafeInteger(seed)) throw new Error(`TEST_SEED is not an integer: ${TEST_SEED}`)
  return seed
}
