import { expect, test, vi } from "vitest"
import { MINUTE } from "~/domain/calendar"
import { openBillingSetup } from "./billing-setups"
import type { Step } from "./journey"
import { journeys } from "./journeys"
import { order } from "./order-steps"
import { decide, open } from "./payment-steps"
import { runCell, runWithoutFaults } from "./scenario"

/** Completes every job without doing its work, as a shop would that lost them. */
const loseJobs: Step = {
  name: "loses the jobs",
  async act({ shop }) {
    const { outbox, now } = shop.services
    for (const job of await outbox.claim(now(), MINUTE, 10)) await outbox.complete(job)
    return true
  },
}

test("a journey without faults reports the job that it lost, and that it did not reach its goal", async () => {
  const [buyer] = journeys
  if (!buyer) throw new Error("No journey")
  const journey = { ...buyer, steps: [order, open, decide("paid"), loseJobs] }
  const { calls, violations } = await runWithoutFaults({ journey, gateway: "offshore", billingSetup: "ours" })
  expect(calls.length).toBeGreaterThan(0)
  expect(violations).toContainEqual(
    expect.stringMatching(/^payment without a service: order .* waits for work that is/),
  )
  expect(violations.at(-1)).toBe("the journey did not reach its goal")
})

test("a journey whose step fails unexpectedly reports it", async () => {
  const [buyer] = journeys
  if (!buyer) throw new Error("No journey")
  const breaks: Step = { name: "breaks", act: () => Promise.reject(new Error("Unexpected")) }
  const run = await runWithoutFaults({
    journey: { ...buyer, steps: [breaks] },
    gateway: "offshore",
    billingSetup: "ours",
  })
  expect(run).toEqual({ calls: [], violations: ["thrown: Error: Unexpected"] })
})

test("a journey whose shop cannot be opened reports it, with and without a fault", async () => {
  const [journey] = journeys
  if (!journey) throw new Error("No journey")
  using opening = vi.spyOn(openBillingSetup, "ours")
  opening.mockRejectedValue(new Error("No response"))
  const way = { journey, gateway: "offshore", billingSetup: "ours" } as const
  const trouble = {
    name: "nothing",
    kind: "nothing",
    fault: "nothing",
    before: 0,
    begin: () => {},
    mend: () => {},
  }
  const reported = expect.objectContaining({ violations: ["thrown: Error: No response"] })
  expect(await runWithoutFaults(way)).toEqual(reported)
  expect(await runCell({ ...way, trouble, retries: true })).toEqual(reported)
})
