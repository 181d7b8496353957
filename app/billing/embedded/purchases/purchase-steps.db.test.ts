import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { StepRepository } from "~/billing/orders/purchase-steps"
import { locales } from "~/domain/locales"
import { purchaseSteps, type StepCount } from "~/domain/orders/purchase-step"
import { gatewayIds } from "~/domain/payments/gateway-id"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { stepsOf } from "./purchase-steps.server"

const day = "2026-06-15"
const paid: StepCount = { day, step: "paid", plan: "3", gateway: "offshore", locale: "de-de", count: 1 }
const seen: StepCount = { day, step: "seen", plan: null, gateway: null, locale: "de-de", count: 3 }

describe.each(engines)("on %s", (engine) => {
  let backend: TemporaryDatabase
  let steps: StepRepository
  beforeEach(async () => {
    backend = await openTemporaryDatabase(engine)
    steps = stepsOf(backend)
  })
  afterEach(() => backend.close())

  test("adds to the sum of the same day, step, plan, gateway and language", async () => {
    await steps.addSteps([paid, seen])
    await steps.addSteps([
      { ...seen, count: 39 },
      { ...paid, plan: "1" },
    ])
    expect(await steps.steps(day, day)).toEqual([
      { ...seen, count: 42 },
      { ...paid, plan: "1" },
      { ...paid, plan: "3" },
    ])
  })

  test("instances that write the same sums at once lose none, in whatever order they counted", async () => {
    const counts = purchaseSteps.flatMap((step) =>
      gatewayIds.flatMap((gateway) =>
        locales.map(({ code: locale }) => ({ ...paid, step, gateway, locale })),
      ),
    )
    const instances = Array.from({ length: 6 }, (_, at) => (at % 2 === 0 ? counts : counts.toReversed()))
    await Promise.all(instances.map((counted) => steps.addSteps(counted)))
    const stored = await steps.steps(day, day)
    expect(stored).toHaveLength(counts.length)
    expect(new Set(stored.map(({ count }) => count))).toEqual(new Set([6]))
  })

  test("shows the asked days, both included, and deletes those before a day", async () => {
    const days = ["2026-06-14", day, "2026-06-16", "2026-06-17"]
    await steps.addSteps(days.map((it) => ({ ...paid, day: it })))
    const shown = async () => (await steps.steps("2026-06-15", "2026-06-16")).map((it) => it.day)
    expect(await shown()).toEqual([day, "2026-06-16"])
    expect(await steps.deleteStepsBefore("2026-06-16")).toBe(2)
    expect(await shown()).toEqual(["2026-06-16"])
  })
})
