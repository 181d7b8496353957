import type { StoredRows } from "./stored-rows"
import type { GatewayPayment, PanelLine, SystemState } from "./system-state"

type Broken = { -readonly [K in keyof SystemState]: SystemState[K] }
type Breakage = readonly [name: string, breakIt: (world: Broken) => void, said: RegExp]

/** Every way in which a sound world can come to harm, and by which words it is known. */
export const breakages: readonly Breakage[] = [
  ["a key that made two orders", ({ books }) => again(books.orders), /^2 orders have the key/],
  ["more orders than were meant", (world) => mean(world, 1), /^ana@.* meant 1 purchases and has 2 orders$/],
  ["an order without a bill", ({ books }) => books.invoices.pop(), /has 0 invoices/],
  ["an order with two bills", ({ books }) => again(books.invoices), /has 2 invoices/],
  ["a bill that is not its lines", ({ books }) => add(books.order_lines, "amount", 1), /its lines come to/],
  ["an order there for two of ours", ({ books }) => there(books, "made"), / of our orders are order 7 there/],
  ["a working order never made there", ({ books }) => there(books, "wanted"), /was never made there/],
  ["a received sum that is none", ({ books }) => add(books.invoices, "received", 5), /says received/],
  ["a credited sum that is none", ({ books }) => add(books.invoices, "credited", 5), /says credited/],
  ["a payment written twice", ({ books }) => again(books.payments), /^the ledger in EUR sums to/],
  ["a payment struck out", ({ books }) => books.payments.pop(), /^attempt .* says received/],
  ["credit out of nothing", ({ books }) => add(books.credits, "balance", 5), /says credit/],
  ["more kept than the total", ({ books }) => keepMore(books), /keeps .* of a total/],
  [
    "money that nobody has",
    ({ books }) => add(books.invoices, "credited", -1),
    /\(expired\) keeps 1 that nobody/,
  ],
  ["credit held by a dead order", ({ books }) => add(books.invoices, "credited", -98_90), /still holds/],
  [
    "money without a word",
    ({ books }) => receive(books, "awaiting-payment"),
    /has received 5 without a word/,
  ],
  ["one transfer booked twice", ({ books }) => sameTransfer(books), /^transfer .* is booked twice/],
  ["money for no attempt", (world) => take(world, "pay_x"), /^payment lost: pay_x/],
  ["a payment the books do not know", (world) => takeMore(world, 5), /^payment lost: .* was paid for/],
  ["a payment the gateway does not know", (world) => takeMore(world, -5), /^payment doubled/],
  ["an attempt paid twice", (world) => take(world, world.gateways?.[0]?.names[0]), /was paid 2 times/],
  [
    "a purchase nobody paid",
    ({ books }) => move(books, "awaiting-payment", "paid"),
    /is paid without payment/,
  ],
  ["a purchase with an open bill", ({ books }) => openBill(books), /its bill is unpaid/],
  ["a line that cost nothing", ({ books }) => books.credit_entries.pop(), /cost no credit/],
  ["a service nobody paid for", ({ books }) => move(books, "active", "cancelled"), /works without payment/],
  ["a service that works nowhere", ({ books }) => unhost(books), /works nowhere/],
  ["an order for no service", ({ books }) => books.services.pop(), /is for no service/],
  ["a purchase with two services", ({ books }) => again(books.services), /has 2 services/],
  [
    "connections nobody paid for",
    ({ books }) => add(books.services, "connections", 1),
    /connections, .* are paid/,
  ],
  ["a job that stands still in silence", ({ books }) => silence(books), /is waiting without a reason/],
  ["work that was forgotten", ({ books }) => finish(books), /^payment without a service/],
  ["a line set up twice", (world) => onPanel(world, (lines) => [...lines, ...lines]), /was set up 2 times/],
  ["a line nobody paid for", (world) => onPanel(world, (lines) => [...lines, stray]), /^line TVSTRAY works/],
  ["a service the panel has not", (world) => onPanel(world, () => []), /is not at the panel/],
  [
    "other connections at the panel",
    (world) => onPanel(world, (lines) => lines.map(wider)),
    /^the panel gives/,
  ],
  ["a use of a code too many", ({ books }) => add(books.promotions, "uses", 1), /counts .* uses, .* hold it/],
  [
    "credits out of nothing",
    ({ books }) => add(books.credit_balances, "balance", 1),
    /resellers' ledger sums to/,
  ],
  ["an account that is not its entries", ({ books }) => again(books.credit_entries), /its entries come to/],
  ["credits below zero", ({ books }) => overdraw(books), /is below zero: -1$/],
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

function mean(world: Broken, purchases: number): void {
  world.meant = new Map([...world.meant].map(([email]) => [email, purchases]))
}

function there(books: StoredRows, state: string): void {
  for (const { id } of books.orders) books.external_orders.push({ order_id: id, state, their_order_id: "7" })
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

function take(world: Broken, name: string | undefined): void {
  const payment: GatewayPayment = { names: [name ?? "none"], received: 5 }
  world.gateways = [...(world.gateways ?? []), payment]
}

function takeMore(world: Broken, by: number): void {
  world.gateways = (world.gateways ?? []).map((it) => ({ ...it, received: it.received + by }))
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

function onPanel(world: Broken, change: (lines: readonly PanelLine[]) => readonly PanelLine[]): void {
  world.panel = change(world.panel ?? [])
}

function overdraw({ credit_balances }: StoredRows): void {
  first(credit_balances, ({ account }) => account !== "issued").balance = -1
}
