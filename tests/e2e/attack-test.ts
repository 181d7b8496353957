import { test } from "./shop-test"
import { deep } from "./tags"

/** Selects the attacks of a table that a test runs. */
type PickCases = <T>(all: readonly T[], sampleSize?: number) => readonly T[]

const SAMPLE = 40
/** Inverse of the golden ratio: steps of this share of a table cover its rows and columns evenly. */
const STEP = 0.618

/**
 * Defines two tests of attacks: with a sample of each table for `npm test`, with whole tables for `npm run test:deep`.
 * `attack` selects the rows of a table with `pick`.
 */
export function attackTest(title: string, attack: (pick: PickCases) => Promise<void>): void {
  test(`${title} (a sample)`, () => attack(sampleOf))
  test(title, deep, () => attack((all) => all))
}

/** A sample that is spread over the whole table, the same in every run. */
const sampleOf: PickCases = (all, sampleSize = SAMPLE) => {
  if (all.length <= sampleSize) return all
  const step = coprimeFrom(Math.round(all.length * STEP), all.length)
  const places = new Set(Array.from({ length: sampleSize }, (_, nth) => (nth * step) % all.length))
  return all.filter((_, place) => places.has(place))
}

/** The first number from `start` on that is coprime to `count`: steps of it reach every index. */
function coprimeFrom(start: number, count: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  return divisor(start, count) === 1 ? start : coprimeFrom(start + 1, count)
}
