import { expect, test } from "vitest"
import { assessFraud, type Block } from "./fraud"

const block: Block = { kind: "network", value: "192.0.2.0/24", reason: "chargebacks", at: 0 }

const none = { browser: 0, email: 0, network: 0, sharedAddress: 0 }

test("allows an order without a block or too many unpaid orders", () => {
  expect(assessFraud({ blocks: [], unpaid: none })).toEqual({ valid: true })
})

test("rejects a blocked address or country with the reason for the operator", () => {
  expect(assessFraud({ blocks: [block], unpaid: none })).toEqual({
    valid: false,
    reason: "blocked network 192.0.2.0/24",
  })
})

test.each([
  ["browser", 10, "10 unpaid orders within an hour from one browser"],
  ["email", 10, "10 unpaid orders within an hour under one e-mail"],
  ["network", 10, "10 unpaid orders within an hour from one network"],
  ["sharedAddress", 60, "60 unpaid orders within an hour from one address"],
] as const)("flags too many unpaid orders of one %s (limit %i)", (kind, many, reason) => {
  expect(assessFraud({ blocks: [], unpaid: { ...none, [kind]: many - 1 } })).toEqual({ valid: true })
  expect(assessFraud({ blocks: [], unpaid: { ...none, [kind]: many } })).toEqual({ valid: false, reason })
})

test("exempts a paying customer from the unpaid order limits, but not from a block", () => {
  expect(assessFraud({ blocks: [], unpaid: null })).toEqual({ valid: true })
  expect(assessFraud({ blocks: [block], unpaid: null })).toMatchObject({ valid: false })
})

test("reports a block before the number of unpaid orders", () => {
  expect(assessFraud({ blocks: [block], unpaid: { ...none, browser: 50 } })).toMatchObject({
    reason: "blocked network 192.0.2.0/24",
  })
})
