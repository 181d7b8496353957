import type { StoredRows } from "./stored-rows"
import type { GatewayPayment, PanelLine, SystemState } from "./system-state"

type Broken = { -readonly [K in keyof SystemState]: SystemState[K] }
type Breakage = readonly [name: string, breakIt: (state: Broken) => void, said: RegExp]

/** Every way to corrupt a valid state, and the violation that must report it. */
export const breakages: readonly Breakage[] = [
  ["a key that made two orders", ({ database }) => again(database.orders), /^2 orders have the key/],
  ["more orders than were meant", (state) => mean(state, 1), /^ana@.* meant 1 purchases and has 2 orders$/],
  ["an order without a bill", ({ database }) => database.invoices.pop(), /has 0 invoices/],
  ["an order with two bills", ({ database }) => again(database.invoices), /has 2 invoices/],
  [
    "a bill that is not its lines",
    ({ database }) => add(database.order_lines, "amount", 1),
    /its lines come to/,
  ],
  [
    "an order there for two of ours",
    ({ database }) => setExternalState(database, "made"),
    / of our orders are order 7 there/,
  ],
  [
    "a working order never made there",
    ({ database }) => setExternalState(database, "wanted"),
    /was never made there/,
  ],
  ["a received sum that is none", ({ database }) => add(database.invoices, "received", 5), /says received/],
  ["a credited sum that is none", ({ database }) => add(database.invoices, "credited", 5), /says credited/],
  ["a payment written twice", ({ database }) => again(database.payments), /^the ledger in EUR sums to/],
  ["a payment struck out", ({ database }) => database.payments.pop(), /^attempt .* says received/],
  ["credit out of nothing", ({ database }) => add(database.credits, "balance", 5), /says credit/],
  ["more kept than the total", ({ database }) => keepMore(database), /keeps .* of a total/],
  [
    "money that nobody has",
    ({ database }) => add(database.invoices, "credited", -1),
    /\(expired\) keeps 1 that nobody/,
  ],
  [
    "credit held by a dead order",
    ({ database }) => add(database.invoices, "credited", -98_90),
    /still holds/,
  ],
  [
    "money without a word",
    ({ database }) => receive(database, "awaiting-payment"),
    /has received 5 without a word/,
  ],
  ["one transfer booked twice", ({ database }) => sameTransfer(database), /^transfer .* is booked twice/],
  ["money for no attempt", (state) => take(state, "pay_x"), /^payment lost: pay_x/],
  ["a payment the books do not know", (state) => takeMore(state, 5), /^payment lost: .* was paid for/],
  ["a payment the gateway does not know", (state) => takeMore(state, -5), /^payment doubled/],
  ["an attempt paid twice", (state) => take(state, state.gateways?.[0]?.names[0]), /was paid 2 times/],
  [
    "a purchase nobody paid",
    ({ database }) => move(database, "awaiting-payment", "paid"),
    /is paid without payment/,
  ],
  ["a purchase with an open bill", ({ database }) => openBill(database), /its bill is unpaid/],
  ["a line that cost nothing", ({ database }) => database.credit_entries.pop(), /cost no credit/],
  [
    "a service nobody paid for",
    ({ database }) => move(database, "active", "cancelled"),
    /works without payment/,
  ],
  ["a service that works nowhere", ({ database }) => unhost(database), /works nowhere/],
  ["an order for no service", ({ database }) => database.services.pop(), /is for no service/],
  ["a purchase with two services", ({ database }) => again(database.services), /has 2 services/],
  [
    "connections nobody paid for",
    ({ database }) => add(database.services, "connections", 1),
    /connections, .* are paid/,
  ],
  ["a job that stands still in silence", ({ database }) => silence(database), /is waiting without a reason/],
  ["work that was forgotten", ({ database }) => finish(database), /^payment without a service/],
  ["a line set up twice", (state) => onPanel(state, (lines) => [...lines, ...lines]), /was set up 2 times/],
  ["a line nobody paid for", (state) => onPanel(state, (lines) => [...lines, stray]), /^line TVSTRAY works/],
  ["a service the panel has not", (state) => onPanel(state, () => []), /is not at the panel/],
  [
    "other connections at the panel",
    (state) => onPanel(state, (lines) => lines.map(wider)),
    /^the panel gives/,
  ],
  [
    "a use of a code too many",
    ({ database }) => add(database.promotions, "uses", 1),
    /counts .* uses, .* hold it/,
  ],
  [
    "credits out of nothing",
    ({ database }) => add(database.credit_balances, "balance", 1),
    /resellers' ledger sums to/,
  ],
  [
    "an account that is not its entries",
    ({ database }) => again(database.credit_entries),
    /its entries come to/,
  ],
  ["credits below zero", ({ database }) => overdraw(database), /is below zero: -1$/],
]

const stray = { serviceId: "nobody's", username: "TVSTRAY", connections: 1 }
const wider = (line: PanelLine) => ({ ...line, connections: line.connections + 1 })

function first<T>(rows: readonly T[], which: (row: T) => boolean = () => true): T {
  const found = rows.find(which)
  if (!found) throw new Error("The sound world has no such row")
  return found
}

function again<T>(rows: T[]): void {
  rows.push(structuredClone(first(rows)))
}

type Amounts<T> = { [K in keyof T]: T[K] extends number ? K : never }[keyof T]

function add<T>(rows: T[], key: Amounts<T>, by: number): void {
  const row = first(rows) as Record<Amounts<T>, number>
  row[key] += by
}

function mean(state: Broken, purchases: number): void {
  state.meant = new Map([...state.meant].map(([email]) => [email, purchases]))
}

function setExternalState(database: StoredRows, state: string): void {
  for (const { id } of database.orders)
    database.external_orders.push({ order_id: id, state, their_order_id: "7" })
}

function move({ orders, services }: StoredRows, from: string, to: string): void {
  first(orders, ({ id, status }) => status === from && services.some((it) => it.order_id === id)).status = to
}

function receive({ orders, invoices }: StoredRows, status: string): void {
  const order = first(orders, (it) => it.status === status)
  first(invoices, ({ order_id }) => order_id === order.id).received = 5
}

function sameTransfer({ payments }: StoredRows): void {
  for (const payment of payments) payment.transaction_id = "tx"
}

function take(state: Broken, name: string | undefined): void {
  const payment: GatewayPayment = { names: [name ?? "none"], received: 5 }
  state.gateways = [...(state.gateways ?? []), payment]
}

function takeMore(state: Broken, by: number): void {
  state.gateways = (state.gateways ?? []).map((it) => ({ ...it, received: it.received + by }))
}

function openBill({ invoices }: StoredRows): void {
  first(invoices, ({ status }) => status === "paid").status = "unpaid"
}

function keepMore({ invoices }: StoredRows): void {
  first(invoices, ({ status }) => status === "paid").received += 500
}

function unhost({ services }: StoredRows): void {
  first(services, ({ status }) => status === "Active").host = null
}

function silence({ outbox }: StoredRows): void {
  first(outbox, ({ state }) => state === "waiting").reason = null
}

function finish({ outbox }: StoredRows): void {
  for (const job of outbox) job.state = "done"
}

function onPanel(state: Broken, change: (lines: readonly PanelLine[]) => readonly PanelLine[]): void {
  state.panel = change(state.panel ?? [])
}

function overdraw({ credit_balances }: StoredRows): void {
  first(credit_balances, ({ account }) => account !== "issued").balance = -1
}
