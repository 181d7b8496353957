import { expect, test } from "vitest"
import { money } from "../money/money"
import {
  buyerTimeline,
  isDelayed,
  type TimelineEvent,
  type TimelineKind,
  usedAccountCredit,
} from "./timeline"

const events = (...kinds: TimelineKind[]): TimelineEvent[] =>
  kinds.map((kind, at) => ({ kind, at, amount: null, reference: `reference ${at}` }))

test("the buyer's timeline contains every event without the operator's references", () => {
  expect(buyerTimeline(events("placed", "flagged"))).toEqual([
    { kind: "placed", at: 0, amount: null, reference: null },
    { kind: "flagged", at: 1, amount: null, reference: null },
  ])
})

test("the buyer's timeline names no payment of an order that cost nothing", () => {
  const paid = (minor: number): TimelineEvent => ({
    kind: "paid",
    at: 1,
    amount: money(minor, "EUR"),
    reference: null,
  })
  expect(buyerTimeline([paid(0)])).toEqual([])
  expect(buyerTimeline([paid(79_00)])).toEqual([paid(79_00)])
})

test.each<[string, TimelineKind[], boolean]>([
  ["nothing has happened", [], false],
  ["the order has only been paid", ["placed", "paid"], false],
  ["the first attempt has failed", ["placed", "paid", "provisioning-delayed"], true],
  ["another event followed the failure", ["provisioning-delayed", "restarted"], true],
  ["the service was provisioned later", ["provisioning-delayed", "provisioned"], false],
  ["the service is being recreated", ["provisioning-delayed", "recreated"], false],
  ["recreating has failed, too", ["provisioned", "recreated", "provisioning-delayed"], true],
])("when %s, provisioning is delayed: %3$s", (_, kinds, delayed) => {
  expect(isDelayed(events(...kinds))).toBe(delayed)
})

test.each<[string, [TimelineKind, number][], number]>([
  ["no credit was used", [["placed", 5_400]], 0],
  [
    "credit pays a part, and an overpayment became credit",
    [
      ["credit-used", 960],
      ["overpaid", 89],
    ],
    960,
  ],
  [
    "the credit went back with the order",
    [
      ["credit-used", 960],
      ["credit-returned", 960],
    ],
    0,
  ],
  [
    "the order was placed again",
    [
      ["credit-used", 960],
      ["credit-returned", 960],
      ["credit-used", 300],
    ],
    300,
  ],
])("when %s, account credit of %3$s cents pays for the order", (_, happened, minor) => {
  const timeline = happened.map(([kind, amount], at) => ({
    kind,
    at,
    amount: money(amount, "EUR"),
    reference: null,
  }))
  expect(usedAccountCredit(timeline, "EUR")).toEqual(money(minor, "EUR"))
})
