import { expect, test } from "vitest"
import { type Block, judgeVisitor, ORDER_VELOCITY } from "./fraud"

const block: Block = { kind: "network", value: "192.0.2.0/24", reason: "chargebacks", at: 0 }

test("a visitor nobody has anything against may order", () => {
  expect(judgeVisitor({ blocks: [], unpaid: 0 })).toEqual({ valid: true })
})

test("a visitor from a blocked place may not order, and the operator reads which", () => {
  expect(judgeVisitor({ blocks: [block], unpaid: 0 })).toEqual({
    ...{ valid: false, reason: "blocked network 192.0.2.0/24" },
  })
})

test("an address that has left ten orders unpaid within an hour may not place another", () => {
  expect(judgeVisitor({ blocks: [], unpaid: ORDER_VELOCITY.most - 1 })).toEqual({ valid: true })
  expect(judgeVisitor({ blocks: [], unpaid: ORDER_VELOCITY.most })).toEqual({
    ...{ valid: false, reason: "10 unpaid orders within an hour" },
  })
})

test("a block is named before the number of orders", () => {
  expect(judgeVisitor({ blocks: [block], unpaid: 50 })).toMatchObject({
    reason: "blocked network 192.0.2.0/24",
  })
})
