import { expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import type { StepCount } from "~/domain/orders/purchase-step"
import { stepCounter } from "./step-counter.server"

const NOON = Date.UTC(2026, 10, 20, 12)
const ana = { plan: "3", gateway: "offshore", locale: "en-en" } as const

function opened({ timeZone = "UTC" } = {}) {
  const written: (readonly StepCount[])[] = []
  const state = { now: NOON, fails: false }
  const counter = stepCounter({
    steps: {
      async addSteps(counts) {
        if (state.fails) throw new Error("no database")
        written.push(counts)
      },
    },
    now: () => state.now,
    timeZone,
  })
  return { counter, written, state }
}

test("writes one sum for each day, step, plan, gateway and language, and each count once", async () => {
  const { counter, written, state } = opened()
  for (const step of ["seen", "submitted", "seen"] as const) counter.count(step, ana)
  counter.count("seen", { ...ana, plan: null })
  state.now += DAY
  counter.count("seen", ana)
  await counter.flush()
  await counter.flush()
  const day = "2026-11-20"
  expect(written).toEqual([
    [
      { ...ana, day, step: "seen", count: 2 },
      { ...ana, day, step: "submitted", count: 1 },
      { ...ana, plan: null, day, step: "seen", count: 1 },
      { ...ana, day: "2026-11-21", step: "seen", count: 1 },
    ],
  ])
})

test("keeps what could not be written, and adds what comes meanwhile", async () => {
  const { counter, written, state } = opened()
  counter.count("paid", ana)
  state.fails = true
  await expect(counter.flush()).rejects.toThrow("no database")
  counter.count("paid", ana)
  state.fails = false
  await counter.flush()
  expect(written).toEqual([[{ ...ana, day: "2026-11-20", step: "paid", count: 2 }]])
})

test("counts by the shop's day", async () => {
  const { counter, written } = opened({ timeZone: "Pacific/Kiritimati" })
  counter.count("left", ana)
  await counter.flush()
  expect(written[0]).toMatchObject([{ day: "2026-11-21" }])
})
