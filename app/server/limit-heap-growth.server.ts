import { setFlagsFromString } from "node:v8"

/** Share in percent by which the heap may grow between two full garbage collections. */
const GROWTH = 50

/**
 * Lets the heap grow by at most half before V8 collects all of it. On a machine with much memory V8 waits until it is three to
 * four times as large, and gives the pages back slowly.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`)
}
