import { describe, expect, test } from "vitest"
import { HOUR } from "../calendar"
import { isCancellable, isCreditOwed } from "./reseller-credits"
import { newTerm, withCycles } from "./term"

const MADE = Date.UTC(2026, 10, 20)

describe("a line", () => {
  const line = {
    status: "Active",
    term: newTerm(MADE, "UTC", 1),
    deviceAddress: null,
    wasExtended: false,
  } as const

  test.each<[string, Partial<Parameters<typeof isCancellable>[0]>, number, boolean]>([
    ["that was just made", {}, 0, true],
    ["in the last moment that the shop allows", {}, 24 * HOUR - 1, true],
    ["from then on", {}, 24 * HOUR, false],
    ["in its second cycle", { term: withCycles(line.term, 1) }, 0, false],
    ["whose cycles are counted anew after an extension", { wasExtended: true }, 0, false],
    ["with a device", { deviceAddress: "00:1A:79:12:34:56" }, 0, false],
    ["that is suspended", { status: "Suspended" }, 0, false],
    ["without an end", { term: null }, 0, false],
  ])("%s: whether it is cancelled for its credit", (_, changes, after, isIt) => {
    expect(isCancellable({ ...line, ...changes }, { at: MADE + after, cancelWithin: 24 * HOUR })).toBe(isIt)
  })
})

describe("a credit that comes back", () => {
  const refund = { amount: 2, at: MADE }
  test.each([
    ["and was used before a refund is owed for the plan that was paid back", [refund], 0, MADE - 1, true],
    ["and was used at the moment of a refund is owed for it", [refund], 0, MADE, true],
    ["and was used after the refund is the reseller's", [refund], 0, MADE + 1, false],
    ["is the reseller's once other lines have given all of them back", [refund], 2, MADE - 1, false],
    ["is the reseller's if no plan was paid back", [], 0, MADE, false],
  ])("%s", (_, refunds, settled, usedAt, isOwed) => {
    expect(isCreditOwed({ refunds, settled }, usedAt)).toBe(isOwed)
  })
})
