import { expect, test } from "vitest"
import { assessFraud, type Block } from "./fraud"

const block: Block = { kind: "network", value: "192.0.2.0/24", reason: "chargebacks", at: 0 }

const none = { browser: 0, email: 0, network: 0, sharedAddress: 0 }

test("a visitor nobody has anything against may order", () => {
  expect(assessFraud({ blocks: [], unpaid: none })).toEqual({ valid: true })
})

test("a visitor from a blocked place may not order, and the operator reads which", () => {
  expect(assessFraud({ blocks: [block], unpaid: none })).toEqual({
    ...{ valid: false, reason: "blocked network 192.0.2.0/24" },
  })
})

test.each([
  ["browser", 10, "10 unpaid orders within an hour from one browser"],
  ["email", 10, "10 unpaid orders within an hour under one e-mail"],
  ["network", 10, "10 unpaid orders within an hour from one network"],
  ["sharedAddress", 60, "60 unpaid orders within an hour from one address"],
] as const)("too many unpaid orders of one %s, which is %i, look like a machine", (kind, many, reason) => {
  expect(assessFraud({ blocks: [], unpaid: { ...none, [kind]: many - 1 } })).toEqual({ valid: true })
  expect(assessFraud({ blocks: [], unpaid: { ...none, [kind]: many } })).toEqual({ valid: false, reason })
})

test("of whoever has paid before no orders are counted, and a block holds him all the same", () => {
  expect(assessFraud({ blocks: [], unpaid: null })).toEqual({ valid: true })
  expect(assessFraud({ blocks: [block], unpaid: null })).toMatchObject({ valid: false })
})

test("a block is named before the number of orders", () => {
  expect(assessFraud({ blocks: [block], unpaid: { ...none, browser: 50 } })).toMatchObject({
    reason: "blocked network 192.0.2.0/24",
  })
})
