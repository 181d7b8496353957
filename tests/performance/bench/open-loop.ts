import { setTimeout as pause } from "node:timers/promises"

/** `times`: milliseconds of each answered action, in order of their answers. `failures`: what the others ended with. */
export type OpenLoad = { readonly times: readonly number[]; readonly failures: readonly string[] }

type Arrivals = { readonly perSecond: number; readonly seconds: number }

/**
 * Starts actions at a fixed rate, however long earlier ones take. Each is timed from the moment it was due, not from the one
 * it could begin: an action that a slow one delays counts as slow too.
 */
export async function openLoop(
  { perSecond, seconds }: Arrivals,
  start: (nth: number) => Promise<unknown>,
): Promise<OpenLoad> {
  const times: number[] = []
  const failures: string[] = []
  const running: Promise<void>[] = []
  const began = performance.now()
  const one = async (nth: number, due: number) => {
    try {
      await start(nth)
      times.push(performance.now() - due)
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error))
    }
  }
  const count = Math.max(1, Math.floor(perSecond * seconds))
  for (let nth = 0; nth < count; nth++) {
    const due = began + (nth * 1_000) / perSecond
    const early = due - performance.now()
    if (early > 0) await pause(early)
    running.push(one(nth, due))
  }
  await Promise.all(running)
  return { times, failures }
}
