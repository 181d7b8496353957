import { expect, test } from "vitest"
import type { Access } from "../../fixtures/no-script-purchase"
import type { StoredRows } from "../invariants/stored-rows"
import { validState } from "../invariants/valid-state"
import type { BuyerHistory, NewConnection, SoakHistory } from "./history"
import { historyViolations, longWaits } from "./history-violations"
import { runPart } from "./soak-stage"

const { database } = await validState()
const bought = onlyRow(database.services, ({ status, order_id }) => status === "Active" && isPlan(order_id))
const order = onlyRow(database.orders, ({ id }) => id === bought.order_id)
const email = onlyRow(database.clients, ({ id }) => id === order.client_id).email
const shown: Access = {
  username: bought.username,
  password: bought.password,
  host: bought.host ?? "",
}
const buyer: BuyerHistory = { email, orders: [order.id], access: [shown, shown], failure: null }
/** One connection every 100 ms, each answered after 20 ms. */
const connections: readonly NewConnection[] = Array.from({ length: 200 }, (_, nth) => opened(nth * 100, 20))
const valid: SoakHistory = {
  buyers: [buyer],
  connections,
  outages: [{ from: 1_000, until: 2_000 }],
  answeredBy: [12, 9],
}

test("a history without violations reports none", () => {
  expect(historyViolations(valid, database)).toEqual([])
  expect(historyViolations({ buyers: [], connections: [], outages: [], answeredBy: [] }, database)).toEqual(
    [],
  )
})

test.each<readonly [string, Partial<SoakHistory>, RegExp]>([
  [
    "a buyer without access",
    withBuyer({ access: [], failure: "Nothing bought" }),
    /had to get access.*Nothing/,
  ],
  [
    "another password on a later page",
    seenLater({ password: "0000000000" }),
    /another password for the same/,
  ],
  [
    "another username on a later page",
    seenLater({ username: "TV00000000" }),
    /another username for the same/,
  ],
  [
    "another server on a later page",
    seenLater({ host: "https://other.example" }),
    /another host for the same/,
  ],
  ["a new connection without an answer", withConnection(opened(9_000, 3, false)), /^1 of .* got no answer/],
  ["an instance that answers nothing", { answeredBy: [12, 0] }, /^instance 2 answered no request$/],
])("a history reports %s", (_, change, violation) => {
  const found = historyViolations({ ...valid, ...change }, database)
  expect(found).toEqual([expect.stringMatching(violation)])
})

test.each<readonly [string, Pick<SoakHistory, "connections">, RegExp]>([
  ["one that waits long", withConnection(opened(9_000, 5_100)), /^a new connection waited 5100 ms/],
  [
    "many that wait",
    { connections: connections.map(({ from }, nth) => opened(from, nth % 10 === 0 ? 1_500 : 20)) },
    /^a new connection in 20 waited 1500 ms/,
  ],
])("of new connections %s is named", (_, change, wait) => {
  expect(longWaits(valid)).toEqual([])
  expect(longWaits({ ...valid, ...change })).toEqual([expect.stringMatching(wait)])
})

test("a connection is not expected to be answered while the shop is down", () => {
  const whileDown = [opened(990, 30, false), opened(1_500, 6_000), opened(1_999, 1, false)]
  const history = { ...valid, connections: [...connections, ...whileDown] }
  expect([...historyViolations(history, database), ...longWaits(history)]).toEqual([])
})

test("a wait that a bare server on the same machine has too is not the shop's", () => {
  const onBusyMachine = connections.map(({ from }) => opened(from, 6_000, true, 5_500))
  expect(longWaits({ ...valid, connections: onBusyMachine })).toEqual([])
})

test("a history reports an acknowledged order that is lost, although the stored rows are valid", () => {
  const history = { ...valid, buyers: [{ ...buyer, orders: ["LOSTORDER0"], access: [] }] }
  expect(historyViolations(history, emptied(database, email))).toEqual([
    `order LOSTORDER0 of ${email} was acknowledged, then lost`,
  ])
})

test("a history reports an acknowledged order that is lost and made again", () => {
  const history = { ...valid, buyers: [{ ...buyer, orders: ["LOSTORDER0", order.id] }] }
  const found = historyViolations(history, onlyPlan(database))
  expect(found).toEqual([
    `order LOSTORDER0 of ${email} was acknowledged, then lost and made again as ${order.id}`,
  ])
})

test.each(["cancelled", "expired", "fraud"])(
  "a history reports an acknowledged order that is %s",
  (status) => {
    const changed = structuredClone(database)
    onlyRow(changed.orders, ({ id }) => id === order.id).status = status
    expect(historyViolations(valid, changed)).toEqual([
      `order ${order.id} of ${email} was acknowledged, then ${status}`,
    ])
  },
)

test.each(["username", "password"] as const)(
  "a history reports a stored %s that nobody was shown",
  (field) => {
    const changed = structuredClone(database)
    onlyRow(changed.services, ({ id }) => id === bought.id)[field] = "0000000000"
    expect(historyViolations(valid, changed)).toEqual([
      `service ${bought.id} has other credentials than ${email} was shown`,
    ])
  },
)

test("a part of the soak that cannot go on is a violation", async () => {
  const part = { name: "crashes", run: () => Promise.reject(new Error("The server is not well")) }
  expect(await runPart(part, { until: 0, seed: 1 })).toEqual({
    tried: {},
    violations: ['the part "crashes" ended early: Error: The server is not well'],
  })
})

function opened(from: number, milliseconds: number, isAnswered = true, bareWait = 0): NewConnection {
  return { from, until: from + milliseconds, isAnswered, bareWait }
}

function withBuyer(change: Partial<BuyerHistory>): Partial<SoakHistory> {
  return { buyers: [{ ...buyer, ...change }] }
}

function seenLater(change: Partial<Access>): Partial<SoakHistory> {
  return withBuyer({ access: [shown, shown, { ...shown, ...change }] })
}

function withConnection(connection: NewConnection): Pick<SoakHistory, "connections"> {
  return { connections: [...connections, connection] }
}

function isPlan(orderId: string): boolean {
  return database.orders.some(({ id, kind }) => id === orderId && kind === "plan")
}

function onlyRow<T>(rows: readonly T[], which: (row: T) => boolean): T {
  const found = rows.find(which)
  if (!found) throw new Error("Row not found in the valid state")
  return found
}

/** The rows without the customer's orders. */
function emptied(rows: StoredRows, of: string): StoredRows {
  const client = onlyRow(rows.clients, (it) => it.email === of)
  return { ...rows, orders: rows.orders.filter(({ client_id }) => client_id !== client.id) }
}

/** The rows with one order of the customer. */
function onlyPlan(rows: StoredRows): StoredRows {
  return {
    ...rows,
    orders: rows.orders.filter(({ client_id, id }) => client_id !== order.client_id || id === order.id),
  }
}
