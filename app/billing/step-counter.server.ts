import { dayIn, type Instant } from "~/domain/calendar"
import type { StepCount } from "~/domain/orders/purchase-step"
import type { StepCounter, StepRepository } from "./orders/purchase-steps"

type Settings = {
  readonly steps: Pick<StepRepository, "addSteps">
  readonly now: () => Instant
  /** The shop's: a step belongs to the day of its calendar. */
  readonly timeZone: string
}

type Counted = Omit<StepCount, "count">

/** Counts steps in memory until they are flushed: one row for each day, step, plan, gateway and language. */
export function stepCounter({ steps, now, timeZone }: Settings): StepCounter {
  let pending = new Map<string, StepCount>()

  function add(counted: Counted, count: number) {
    const { day, step, plan, gateway, locale } = counted
    const key = JSON.stringify([day, step, plan, gateway, locale])
    const before = pending.get(key)?.count ?? 0
    pending.set(key, { day, step, plan, gateway, locale, count: before + count })
  }

  return {
    count: (step, { plan, gateway, locale }) =>
      add({ day: dayIn(timeZone, now()), step, plan, gateway, locale }, 1),
    async flush() {
      const counts = [...pending.values()]
      if (counts.length === 0) return
      pending = new Map()
      try {
        await steps.addSteps(counts)
      } catch (error) {
        for (const counted of counts) add(counted, counted.count)
        throw error
      }
    },
  }
}
