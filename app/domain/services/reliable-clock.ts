import { HOUR } from "../calendar"
import { CLOCK_TOLERANCE, type ClockReading, clockMoved } from "./dunning-brake"

/** A clock that was moved ahead is relied on again after this time, or once it is set back. */
export const RELIED_ON_AFTER = HOUR

/** What one process has seen of its clock. `ahead`: by how much it was moved ahead, in milliseconds, and when; null: it is reliable. */
export type ClockWatch = {
  readonly reading: ClockReading
  readonly ahead: { readonly by: number; readonly steady: number } | null
}

/** What is known of a clock after another reading. `watch`: what was known before; null: it is the first reading. */
export function watchClock(watch: ClockWatch | null, reading: ClockReading): ClockWatch {
  const moved = watch === null ? 0 : clockMoved(watch.reading, reading)
  const before = watch?.ahead ?? null
  const by = (before?.by ?? 0) + moved
  if (by <= CLOCK_TOLERANCE) return { reading, ahead: null }
  const since = moved === 0 && before !== null ? before.steady : reading.steady
  return { reading, ahead: reading.steady - since < RELIED_ON_AFTER ? { by, steady: since } : null }
}
