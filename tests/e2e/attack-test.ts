import { test } from "./shop-test"
import { deep } from "./tags"

/** Which of a table's attacks a test tries. */
type PickCases = <T>(all: readonly T[], sampleSize?: number) => readonly T[]

const SAMPLE = 40
/** Inverse of the golden ratio: steps of this share of a table meet all its rows and columns evenly. */
const STEP = 0.618

/** Tries attacks: `npm test` a sample of each table that `attack` picks from, `npm run test:deep` the whole tables. */
export function attackTest(title: string, attack: (pick: PickCases) => Promise<void>): void {
  test(`${title} (a sample)`, () => attack(sampleOf))
  test(title, deep, () => attack((all) => all))
}

/** Some of a table, spread over all of it, the same in every run. */
const sampleOf: PickCases = (all, sampleSize = SAMPLE) => {
  if (all.length <= sampleSize) return all
  const step = coprimeFrom(Math.round(all.length * STEP), all.length)
  const places = new Set(Array.from({ length: sampleSize }, (_, nth) => (nth * step) % all.length))
  return all.filter((_, place) => places.has(place))
}

/** The first number from `start` on that shares no divisor with `count`: steps of it meet every place. */
function coprimeFrom(start: number, count: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  return divisor(start, count) === 1 ? start : coprimeFrom(start + 1, count)
}
