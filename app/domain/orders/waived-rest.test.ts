import { describe, expect, test } from "vitest"
import { money } from "../money/money"
import { type WaivableOrder, waivableRest } from "./waived-rest"

const euros = (minor: number) => money(minor, "EUR")
const order = (received: number, changes: Partial<WaivableOrder> = {}): WaivableOrder => ({
  status: "partially-paid",
  kind: "plan",
  total: euros(2_000),
  received: euros(received),
  credited: euros(0),
  ...changes,
})

describe("the rest of an order is waived", () => {
  test.each<[string, WaivableOrder, number | null]>([
    ["that lacks a cent", order(1_999), 1],
    ["that lacks a tenth of its price", order(1_800), 200],
    ["not if it lacks more", order(1_799), null],
    ["not if it lacks nothing", order(2_000), null],
    ["not if nothing was paid", order(0, { status: "awaiting-payment" }), null],
    ["that has expired since", order(1_990, { status: "expired" }), 10],
    ["that account credit has paid in part", order(1_000, { credited: euros(-950) }), 50],
    ["not of one whose part became account credit", order(1_990, { credited: euros(1_990) }), null],
    ["not of one that is paid", order(1_990, { status: "active" }), null],
    ["not of one on hold", order(1_990, { status: "fraud" }), null],
    ["not of a top-up", order(1_990, { kind: "topup" }), null],
  ])("%s", (_, given, minor) => {
    expect(waivableRest(given)).toEqual(minor === null ? null : euros(minor))
  })
})
