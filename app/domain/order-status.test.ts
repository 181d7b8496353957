import { expect, test } from "vitest"
import {
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

test("the table of this test names every status", () => {
  expect([...statuses].sort()).toEqual([...orderStatuses].sort())
})

test.each(rows.map(([event, ...outcomes]) => [event as OrderEvent, outcomes] as const))(
  "%s moves an order from each status to the right one",
  (event, outcomes) => {
    expect(statuses.map((status) => next(status, event) ?? "-")).toEqual(outcomes)
    expect(statusesBefore(event)).toEqual(
      orderStatuses.filter((it) => outcomes[statuses.indexOf(it)] !== "-"),
    )
  },
)

test("no event takes payment back: what is paid stays paid", () => {
  const fromPaid = (["paid", "active"] as const).flatMap((status) =>
    events.map((event) => next(status, event)),
  )
  expect(new Set(fromPaid)).toEqual(new Set([undefined, "active"]))
})

test("money is expected exactly where an order can still be aborted", () => {
  expect([...payableStatuses].sort()).toEqual([...statusesBefore("aborted")].sort())
})

test("an order is over unpaid exactly where it neither expects money nor has been paid", () => {
  const revived = orderStatuses.filter(
    (status) => !payableStatuses.includes(status) && !paidStatuses.includes(status),
  )
  expect([...unpaidFinalStatuses].sort()).toEqual([...revived].sort())
  expect([...unpaidFinalStatuses].sort()).toEqual(["cancelled", "expired", "fraud"])
})

test("what an order is for is the buyer's once it is paid", () => {
  expect(paidStatuses).toEqual(["paid", next("paid", "provisioned")])
})

test("every status has a screen of ours", () => {
  for (const status of orderStatuses) expect(screens).toContain(screensByStatus[status][0])
})

test("the screen a visitor is led to never leads him on again", () => {
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
])("a visitor on %s whose order is %s is led to: %s", (screen, status, right) => {
  expect(screenFor(screen, status)).toBe(right)
})
