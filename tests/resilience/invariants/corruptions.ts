import type { StoredRows } from "./stored-rows"
import type { GatewayPayment, PanelLine, SystemState } from "./system-state"

type CorruptibleState = { -readonly [K in keyof SystemState]: SystemState[K] }
type Breakage = readonly [name: string, breakIt: (state: CorruptibleState) => void, said: RegExp]

/** Every way to corrupt a valid state, and the violation that must report it. */
export const breakages: readonly Breakage[] = [
  ["two orders with one idempotency key", ({ database }) => again(database.orders), /^2 orders have the key/],
  ["more orders than intended", (state) => mean(state, 1), /^ana@.* meant 1 purchases and has 2 orders$/],
  [
    "a number of an invoice that is missing",
    ({ database }) => add(database.tax_documents, "sequence", 1),
    /^invoice numbers of 20\d\d: 1 is missing$/,
  ],
  [
    "a number of an invoice that was drawn twice",
    ({ database }) => again(database.tax_documents),
    /^invoice numbers of 20\d\d: 1 was drawn 2 times$/,
  ],
  [
    "an order with two first invoices",
    ({ database }) => again(database.tax_documents),
    /has 2 first invoices$/,
  ],
  ["an order without an invoice", ({ database }) => database.invoices.pop(), /has 0 invoices/],
  ["an order with two invoices", ({ database }) => again(database.invoices), /has 2 invoices/],
  [
    "an invoice that differs from its lines",
    ({ database }) => add(database.order_lines, "amount", 1),
    /its lines come to/,
  ],
  [
    "an external order of two local orders",
    ({ database }) => setExternalState(database, "made"),
    / local orders share external order 7/,
  ],
  [
    "an active order without an external order",
    ({ database }) => setExternalState(database, "wanted"),
    /has no external order/,
  ],
  [
    "a received amount without a payment",
    ({ database }) => add(database.invoices, "received", 5),
    /says received/,
  ],
  [
    "a credited amount without a ledger entry",
    ({ database }) => add(database.invoices, "credited", 5),
    /says credited/,
  ],
  ["a duplicate payment row", ({ database }) => again(database.payments), /^the ledger in EUR sums to/],
  ["a deleted payment row", ({ database }) => database.payments.pop(), /^attempt .* says received/],
  ["credit without a ledger entry", ({ database }) => add(database.credits, "balance", 5), /says credit/],
  ["more money held than the total", ({ database }) => keepMore(database), /keeps .* of a total/],
  [
    "money of an expired order that is not credited",
    ({ database }) => add(database.invoices, "credited", -1),
    /\(expired\) keeps 1 that is neither/,
  ],
  [
    "credit held by a cancelled order",
    ({ database }) => add(database.invoices, "credited", -98_90),
    /still holds/,
  ],
  [
    "money without a timeline event",
    ({ database }) => receive(database, "awaiting-payment"),
    /has received 5 without a timeline event/,
  ],
  ["one transfer recorded twice", ({ database }) => sameTransfer(database), /^transfer .* is recorded twice/],
  ["money without an attempt", (state) => take(state, "pay_x"), /^payment lost: pay_x/],
  ["a payment missing in the database", (state) => takeMore(state, 5), /^payment lost: .* was paid for/],
  ["a payment missing at the gateway", (state) => takeMore(state, -5), /^payment doubled/],
  ["an attempt paid twice", (state) => take(state, state.gateways?.[0]?.names[0]), /was paid 2 times/],
  [
    "an unpaid purchase",
    ({ database }) => move(database, "awaiting-payment", "paid"),
    /is paid without payment/,
  ],
  ["a purchase with an open invoice", ({ database }) => openBill(database), /its invoice is unpaid/],
  ["a line without a credit entry", ({ database }) => database.credit_entries.pop(), /cost no credit/],
  [
    "an active service of a cancelled order",
    ({ database }) => move(database, "active", "cancelled"),
    /works without payment/,
  ],
  ["an active service without a host", ({ database }) => unhost(database), /is active without a host/],
  ["an order without a service", ({ database }) => database.services.pop(), /is for no service/],
  ["a purchase with two services", ({ database }) => again(database.services), /has 2 services/],
  [
    "unpaid connections",
    ({ database }) => add(database.services, "connections", 1),
    /connections, .* are paid/,
  ],
  ["a pending job without a reason", ({ database }) => silence(database), /is waiting without a reason/],
  ["a promised job that is missing", ({ database }) => forget(database), /waits for work that is missing$/],
  ["a completed job without its effect", ({ database }) => finish(database), /^payment without a service/],
  [
    "a line provisioned twice",
    (state) => onPanel(state, (lines) => [...lines, ...lines]),
    /was set up 2 times/,
  ],
  ["an unpaid line", (state) => onPanel(state, (lines) => [...lines, stray]), /^line TVSTRAY works/],
  ["a service missing at the panel", (state) => onPanel(state, () => []), /is not at the panel/],
  [
    "other connections at the panel",
    (state) => onPanel(state, (lines) => lines.map(wider)),
    /^the panel gives/,
  ],
  [
    "a running service that the panel suspends",
    (state) => onPanel(state, (lines) => lines.map((line) => ({ ...line, isSuspended: true }))),
    /^the panel suspends service .*, which is Active$/,
  ],
  [
    "an extra use of a promo code",
    ({ database }) => add(database.promotions, "uses", 1),
    /counts .* uses, .* hold it/,
  ],
  [
    "unbalanced reseller credits",
    ({ database }) => add(database.credit_balances, "balance", 1),
    /resellers' ledger sums to/,
  ],
  [
    "a credit account that differs from its entries",
    ({ database }) => again(database.credit_entries),
    /its entries come to/,
  ],
  ["a negative credit balance", ({ database }) => overdraw(database), /is below zero: -1$/],
]

const stray = { serviceId: "nobody's", username: "TVSTRAY", connections: 1 }
const wider = (line: PanelLine) => ({ ...line, connections: line.connections + 1 })

function first<T>(rows: readonly T[], which: (row: T) => boolean = () => true): T {
  const found = rows.find(which)
  if (!found) throw new Error("Row not found in the valid state")
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

function mean(state: CorruptibleState, purchases: number): void {
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

function take(state: CorruptibleState, name: string | undefined): void {
  const payment: GatewayPayment = { names: [name ?? "none"], received: 5 }
  state.gateways = [...(state.gateways ?? []), payment]
}

function takeMore(state: CorruptibleState, by: number): void {
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

function forget({ outbox }: StoredRows): void {
  outbox.splice(0)
}

function onPanel(
  state: CorruptibleState,
  change: (lines: readonly PanelLine[]) => readonly PanelLine[],
): void {
  state.panel = change(state.panel ?? [])
}

function overdraw({ credit_balances }: StoredRows): void {
  first(credit_balances, ({ account }) => account !== "issued").balance = -1
}
