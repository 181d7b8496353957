/** Rounds that a quiet machine needs, and at most: code is compiled, and a busy machine disturbs most rounds. */
const ROUNDS = { least: 5, most: 60 }
const SIMILAR = 2

/**
 * Measures each case in rounds and returns the fastest time of each. Other programs make a measurement longer and never
 * shorter, so rounds are added while the fastest times differ by a factor of two. A difference in the work itself stays.
 */
export async function fastestTimes(cases: readonly (() => Promise<number>)[]): Promise<number[]> {
  const fastest = cases.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < ROUNDS.most; round++) {
    for (const [at, measure] of cases.entries()) {
      fastest[at] = Math.min(fastest[at] ?? Number.POSITIVE_INFINITY, await measure())
    }
    if (round + 1 >= ROUNDS.least && areSimilar(fastest)) break
  }
  return fastest
}

/** Whether no time is twice as long as another one. */
export function areSimilar(times: readonly number[]): boolean {
  return Math.max(...times) < SIMILAR * Math.min(...times)
}
