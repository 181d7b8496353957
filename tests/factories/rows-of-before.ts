import { type Kysely, sql } from "kysely"
import type { Tables } from "~/billing/embedded/schema/schema"

/** A row of the books as it is stored. */
export type StoredRow = Record<string, string | number | null>

/** Ana's paid year with an overpayment, and what else a shop comes to keep: every column, as the newest schema has it. */
export const rowsOfBefore: Record<string, StoredRow> = {
  products: {
    ...{ id: "3", kind: "plan", position: 0, name: "12 months", pay_type: "recurring", credits: 25 },
    ...{ pricing: '{"GBP":{"annually":"79.00"}}', options: "[]", custom_fields: "[]" },
  },
  promotions: {
    ...{ code_key: "half", position: 0, code: "Half", product_ids: '["3"]', starts_on: null },
    ...{
      ends_on: "2030-12-31",
      hundredths: 5_000,
      amount: 9_007_199_254_740_991,
      currency: null,
      max_uses: 9,
      uses: 4,
    },
  },
  clients: {
    ...{ id: "c1", email_key: "ana@example.test", email: "Ana@example.test", password_hash: "scrypt" },
    ...{ password_reach: "sign-up", locale: "en-gb", currency: "GBP", address: "192.0.2.7", country: "GB" },
    created_at: 1_760_000_000_001,
  },
  orders: {
    ...{ id: "ORDER7", kind: "reseller", service_id: "s1", affiliate_id: "12", one_time_key: "key" },
    ...{ client_id: "c1", proven: 1, status: "active", promo_key: "half", gateway: "offshore" },
    ...{ locale: "en-gb", address: "192.0.2.7", placed_at: 2, deadline: 3 },
  },
  order_lines: {
    ...{ order_id: "ORDER7", position: 0, kind: "plan", product_id: "3", option_id: null, choice_id: null },
    ...{ code: null, name: "Zwölf Monate “quoted”\n\u2028🔑", quantity: 1, amount: 7_900, currency: "GBP" },
  },
  order_events: {
    ...{ order_id: "ORDER7", position: 1, kind: "placed", at: 2, amount: 7_900, currency: "GBP" },
    reference: "tx1",
  },
  invoices: {
    ...{ id: "i1", order_id: "ORDER7", client_id: "c1", status: "paid", total: 7_900, received: 8_400 },
    ...{ credited: 500, currency: "GBP", created_at: 2, paid_at: 3 },
  },
  services: {
    ...{ id: "s1", former_id: "s0", order_id: "ORDER7", client_id: "c1", product_id: "3", kind: "reseller" },
    ...{ name: "12 months", cycle: "annually", currency: "GBP", device_address: "00:1A:79:00:00:01" },
    ...{ notes: "living room", status: "Active", username: "TVABCDEFGH", password: "0123456789" },
    ...{ host: "https://tv.test", connections: 2, proxy_protection: 1, created_at: 2 },
  },
  payment_attempts: {
    ...{ id: "a1", order_id: "ORDER7", gateway: "offshore", coin: "BTC", slot: null, amount: 7_900 },
    ...{ currency: "GBP", status: "paid", received: 8_400, payment_id: "pay1", url: "https://pay.test/1" },
    ...{ opened_at: 2, asked_at: 3, ask_at: 4, resumed_at: 5 },
  },
  gateway_events: {
    ...{ gateway: "offshore", event_key: "e1", attempt_id: "a1", status: "paid", amount: 8_400 },
    ...{ currency: "GBP", transaction_id: "tx1", at: 3 },
  },
  payments: {
    ...{ id: "p1", invoice_id: "i1", client_id: "c1", attempt_id: "a1", gateway: "offshore" },
    ...{ amount: 8_400, currency: "GBP", transaction_id: "tx1", booked_at: 3 },
  },
  credits: { client_id: "c1", currency: "GBP", balance: 500 },
  credit_movements: {
    ...{ id: "p2", client_id: "c1", invoice_id: "i1", cause: "surplus", amount: 500, currency: "GBP", at: 3 },
  },
  credit_entries: {
    ...{ id: "e1", from_account: "issued", to_account: "held c1", amount: 25 },
    ...{ reference: "order ORDER7", reason: null, at: 3 },
  },
  credit_balances: { account: "held c1", balance: 25 },
  orders_there: {
    ...{ order_id: "ORDER7", state: "made", their_order_id: "9", their_invoice_id: "8", link: null },
    ...{ tries: 1, claimed_until: 3, ask_at: 4 },
  },
  refused_callbacks: { gateway: "offshore", day: "2026-06-15", reason: "signature", count: 3 },
  affiliate_clicks: { affiliate_id: "12", visitor: "v", day: "2026-06-15", referer: null, at: 1 },
  blocks: { kind: "network", value: "192.0.2.0/24", reason: "a bot", at: 1 },
  outbox: {
    ...{ id: "j1", topic: "provision", subject: "s1", state: "done", due: 5 },
    ...{ tries: 2, reason: null },
  },
  leases: { name: "sweep", holder: "an instance", until: 9 },
  bookmarks: { name: "retention", place: "c1" },
  rate_limits: { key: "wrongCodesOfBrowser:hash", points: 3, expire: 9 },
}

/** What stands beside a row of the same table: double entries have two sides. */
const secondRows: Record<string, StoredRow> = { credit_balances: { account: "issued", balance: -25 } }

/** All rows of a table. */
export function stored(table: string): StoredRow[] {
  const [row, second] = [rowsOfBefore[table], secondRows[table]]
  if (!row) throw new Error(`The table ${table} has no row in the tests: add one`)
  return second ? [row, second] : [row]
}

/** Writes a row as far as its table has the columns; a table that is not there yet has none. */
export async function insertRow(
  db: Kysely<Tables>,
  table: string,
  columns: readonly string[] | undefined,
  row: StoredRow,
): Promise<void> {
  if (!columns) return
  const known = Object.entries(row).filter(([column]) => columns.includes(column))
  const names = sql.join(known.map(([column]) => sql.ref(column)))
  const values = sql.join(known.map(([, value]) => value))
  await sql`insert into ${sql.table(table)} (${names}) values (${values})`.execute(db)
}
