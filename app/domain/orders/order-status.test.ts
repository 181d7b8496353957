import { expect, test } from "vitest"
import { money } from "../money/money"
import {
  isDeclinable,
  next,
  type OrderEvent,
  type OrderStatus,
  orderStatuses,
  paidStatuses,
  payableStatuses,
  type Screen,
  screenFor,
  screensByStatus,
  statusesBefore,
  unpaidFinalStatuses,
} from "./order-status"

const screens: readonly Screen[] = ["checkout", "creatingOrder", "waiting", "success"]

/** Status after each event in each status; a dash: no change. */
const table = `
  event           placed            awaiting-payment  partially-paid  paid    active  cancelled  expired  fraud
  handedOff       awaiting-payment  -                 -               -       -       -          -        -
  partlyPaid      partially-paid    partially-paid    -               -       -       -          -        -
  paid            paid              paid              paid            -       -       paid       paid     -
  provisioned     -                 -                 -               active  -       -          -        -
  declined        -                 -                 -               cancelled  -    -          -        -
  flagged         fraud             fraud             -               -       -       -          -        -
  released        -                 -                 -               -       -       -          -        placed
  aborted         cancelled         cancelled         cancelled       -       -       -          -        -
  deadlinePassed  expired           expired           expired         -       -       -          -        -
`
const [head = [], ...rows] = table
  .trim()
  .split("\n")
  .map((row) => row.trim().split(/\s+/))
const statuses = head.slice(1) as OrderStatus[]
const events = rows.map(([event]) => event as OrderEvent)

test("the expected transitions cover every order status", () => {
  expect([...statuses].sort()).toEqual([...orderStatuses].sort())
})

test.each(rows.map(([event, ...outcomes]) => [event as OrderEvent, outcomes] as const))(
  "%s causes the expected transition from each status",
  (event, outcomes) => {
    expect(statuses.map((status) => next(status, event) ?? "-")).toEqual(outcomes)
    expect(statusesBefore(event)).toEqual(
      orderStatuses.filter((it) => outcomes[statuses.indexOf(it)] !== "-"),
    )
  },
)

test("no event but a refusal by external billing leads from a paid status to an unpaid one", () => {
  const others = events.filter((event) => event !== "declined")
  const fromPaid = (["paid", "active"] as const).flatMap((status) =>
    others.map((event) => next(status, event)),
  )
  expect(new Set(fromPaid)).toEqual(new Set([undefined, "active"]))
})

test("an order with money in it is never cancelled by a refusal of external billing", () => {
  expect([0, 1, 1_500].filter((minor) => isDeclinable({ total: money(minor, "EUR") }))).toEqual([0])
})

test("an order is payable in exactly the statuses from which it can be aborted", () => {
  expect([...payableStatuses].sort()).toEqual([...statusesBefore("aborted")].sort())
})

test("the unpaid final statuses are those that are neither payable nor paid", () => {
  const revived = orderStatuses.filter(
    (status) => !payableStatuses.includes(status) && !paidStatuses.includes(status),
  )
  expect([...unpaidFinalStatuses].sort()).toEqual([...revived].sort())
  expect([...unpaidFinalStatuses].sort()).toEqual(["cancelled", "expired", "fraud"])
})

test("the paid statuses are paid and active", () => {
  expect(paidStatuses).toEqual(["paid", next("paid", "provisioned")])
})

test("every status has a screen", () => {
  for (const status of orderStatuses) expect(screens).toContain(screensByStatus[status][0])
})

test("a redirect target does not redirect again", () => {
  for (const status of [...orderStatuses, null]) {
    for (const screen of screens) {
      const right = screenFor(screen, status)
      if (right !== null) expect([status, screen, screenFor(right, status)]).toEqual([status, screen, null])
    }
  }
})

test.each<[Screen, OrderStatus | null, Screen | null]>([
  ["waiting", null, "checkout"],
  ["success", null, "checkout"],
  ["checkout", null, null],
  ["creatingOrder", null, null],
  ["checkout", "awaiting-payment", "waiting"],
  ["creatingOrder", "awaiting-payment", "waiting"],
  ["success", "partially-paid", "waiting"],
  ["waiting", "paid", "success"],
  ["checkout", "paid", "success"],
  ["checkout", "active", null],
  ["waiting", "active", "success"],
  ["waiting", "cancelled", "checkout"],
  ["success", "expired", "waiting"],
  ["checkout", "fraud", null],
  ["waiting", "fraud", "creatingOrder"],
])("redirects from %s with an order in status %s to: %s", (screen, status, right) => {
  expect(screenFor(screen, status)).toBe(right)
})
