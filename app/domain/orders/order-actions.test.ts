import { describe, expect, test } from "vitest"
import { money } from "../money/money"
import { operatorRoles } from "../operators/operator"
import { isOrderAction, type OrderState, orderActions, orderActionsFor } from "./order-actions"
import type { OrderStatus } from "./order-status"

const none = money(0, "EUR")
const state = (status: OrderStatus, changes: Partial<OrderState> = {}, minor = 0): OrderState => ({
  order: { status, decision: null, kind: "plan", total: money(2_000, "EUR"), received: none, credited: none },
  refundable: { credit: none, outside: none, received: money(minor, "EUR") },
  attempts: [],
  jobs: [],
  mails: [],
  gatewayRefunds: [],
  chargeback: null,
  ...changes,
})

test.each<[OrderStatus, readonly string[]]>([
  ["placed", ["mark-order-paid", "cancel-order"]],
  ["awaiting-payment", ["mark-order-paid", "cancel-order"]],
  ["partially-paid", ["mark-order-paid", "cancel-order"]],
  ["paid", []],
  ["active", []],
  ["cancelled", ["mark-order-paid"]],
  ["expired", ["mark-order-paid"]],
  ["fraud", ["release-order", "refuse-order"]],
])("an order that is %s allows %j", (status, actions) => {
  expect(orderActionsFor("owner", state(status))).toEqual(actions)
})

test.each<[string, OrderState, readonly string[]]>([
  ["a decision", { ...state("fraud"), order: { ...state("fraud").order, decision: "refused" } }, []],
  ["money", state("active", {}, 1), ["refund-order"]],
  [
    "money that became account credit",
    state("active", { refundable: { credit: money(1, "EUR"), outside: none, received: none } }),
    ["refund-order"],
  ],
  [
    "money that the operator has received outside the gateways",
    state("active", { refundable: { credit: none, outside: money(1, "EUR"), received: none } }),
    ["refund-order"],
  ],
  ["an open payment", state("active", { attempts: [{ status: "processing" }] }), ["poll-order"]],
  ["a settled payment", state("active", { attempts: [{ status: "paid" }] }), []],
  ["a parked job", state("active", { jobs: [{ state: "parked", tries: 9 }] }), ["retry-job", "discard-job"]],
  ["a discarded job", state("active", { jobs: [{ state: "discarded", tries: 9 }] }), ["retry-job"]],
  ["a failed job", state("active", { jobs: [{ state: "waiting", tries: 1 }] }), ["retry-job"]],
  ["a new job", state("active", { jobs: [{ state: "waiting", tries: 0 }] }), []],
  ["a refused refund", state("active", { gatewayRefunds: [{ state: "refused" }] }), ["dismiss-refund"]],
  ["a dismissed refund", state("active", { gatewayRefunds: [{ state: "dismissed" }] }), []],
  [
    "a payment that its gateway has taken back",
    state("active", { chargeback: { isOpen: true } }),
    ["dismiss-chargeback"],
  ],
  ["one that somebody has dealt with", state("active", { chargeback: { isOpen: false } }), []],
  [
    "a small rest",
    {
      ...state("partially-paid"),
      order: { ...state("partially-paid").order, received: money(1_990, "EUR") },
    },
    ["mark-order-paid", "waive-rest", "cancel-order"],
  ],
  ["a message", state("active", { mails: [{}] }), ["resend-mail"]],
])("an order with %s allows these actions", (_, given, actions) => {
  expect(orderActionsFor("owner", given)).toEqual(actions)
})

describe("roles", () => {
  const everything = state(
    "partially-paid",
    { attempts: [{ status: "pending" }], jobs: [{ state: "parked", tries: 1 }], mails: [{}] },
    1,
  )
  test.each([
    [
      "owner",
      [
        "retry-job",
        "poll-order",
        "mark-order-paid",
        "refund-order",
        "resend-mail",
        "discard-job",
        "cancel-order",
      ],
    ],
    ["support", ["retry-job", "poll-order", "resend-mail", "cancel-order"]],
    ["viewer", []],
  ] as const)("%s may do %j", (role, actions) => {
    expect(orderActionsFor(role, everything)).toEqual(actions)
  })

  test("every role has a row above", () => {
    expect(operatorRoles).toEqual(["owner", "support", "viewer"])
  })
})

test("only actions of an order are its actions", () => {
  expect(orderActions.every(isOrderAction)).toBe(true)
  expect([isOrderAction("add-operator"), isOrderAction("")]).toEqual([false, false])
})
