import { sql } from "kysely"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { money } from "~/domain/money/money"
import {
  active,
  catalogueFixture,
  NOON,
  newOrderInput,
  opened,
  paymentUpdate,
  placed,
} from "../../../../tests/contracts/billing/billing-fixtures"
import {
  createEmbeddedBilling,
  type SeedableBilling,
} from "../../../../tests/contracts/billing/embedded-billing"
import { rowsOfBefore } from "../../../../tests/fixtures/migration-fixtures"
import {
  engines,
  fill,
  linesOf,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { tables } from "../backup/backup-tables"
import type { Tables } from "../db/schema/schema"
import { findImbalances } from "../ledger/ledger-check.server"
import { customerAccount } from "../reseller-credits/credit-ledger.server"
import { exportCustomer } from "./customer-export.server"
import { eraseCustomer } from "./erasure.server"
import { eraseInactiveCustomers } from "./retention.server"

const ANA = [String(rowsOfBefore.clients?.id)]
/** All personal data of the customer Ana. */
const NAMES = ["Ana@", "ana@", "192.0.2.7", "scrypt", "living room", "00:1A:79", "https://theirs.test"]
const WRITTEN = "written about her"
/** Columns that say something about a customer in words, or where they can be found. */
const TEXTS = {
  orders: ["address", "network", "browser"],
  services: ["notes", "device_address", "device_requested", "suspension_reason"],
  tax_documents: ["buyer_email"],
  external_orders: ["link"],
  coin_references: ["value"],
  credit_movements: ["reason"],
  order_notes: ["text"],
  order_tags: ["tag"],
  approvals: ["reason"],
  unmatched_payments: ["reference", "operator_reason"],
  gateway_refunds: ["reason", "address", "claim_url", "detail"],
  order_refunds: ["reason"],
  mails: ["email", "detail"],
}

/** Writes about Ana wherever a shop can: rows with several reasons to be written get one for each. */
async function writeAbout({ db }: TemporaryDatabase): Promise<void> {
  const insert = async (table: keyof Tables, change: object) =>
    void (await db
      .insertInto(table)
      .values({ ...rowsOfBefore[table], ...change } as never)
      .execute())
  const ofCustomer = { id: "of the customer", order_id: null, client_id: ANA[0] }
  await insert("approvals", ofCustomer)
  await insert("unmatched_payments", { ...ofCustomer, attempt_id: null, payment_key: "another" })
  let position = 100
  for (const kind of ["flagged", "released", "refused"])
    await insert("order_events", { kind, position: ++position, reference: WRITTEN })
  await insert("order_events", { kind: "paid", position: ++position, reference: `operator: ${WRITTEN}` })
  for (const kind of ["extended", "suspended", "resumed", "terminated", "connections", "device", "recreated"])
    await insert("service_events", { kind, position: ++position, detail: JSON.stringify(WRITTEN) })
  for (const [table, columns] of Object.entries(TEXTS))
    for (const column of columns)
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${WRITTEN}`.execute(db)
}

const UNOWNED_TABLES = [
  "webhook_endpoints",
  "products",
  "catalogue_versions",
  "tax_versions",
  "brand_versions",
  "brand_drafts",
  "promotions",
  "promotion_codes",
  "term_campaigns",
  "refused_callbacks",
  "rejected_callbacks",
  "affiliate_clicks",
  "purchase_steps",
  "leases",
  "cursors",
  "event_streams",
  "outages",
  "gateway_drains",
  "dunning_brakes",
  "ended_sessions",
  "bulk_items",
  "bulk_runs",
  "price_moves",
  "operators",
  "operator_recovery_codes",
  "operator_sessions",
  "audit_log",
  "document_numbers",
  "hourly_sums",
  "taken_needs",
]
const MONEY = /^\["(invoices|payments|credits|credit_\w+|gateway_events|order_lines)"/

describe.each(engines)("on %s", (engine) => {
  let backend: TemporaryDatabase
  let shop: SeedableBilling
  beforeEach(async () => {
    backend = await openTemporaryDatabase(engine)
    shop = await createEmbeddedBilling(backend.url, catalogueFixture)
  })
  afterEach(async () => {
    await shop.close()
    await backend.close()
  })

  async function withAna() {
    await backend.db.deleteFrom("products").execute()
    await backend.db.deleteFrom("promotions").execute()
    await fill(backend)
    await backend.db.updateTable("external_orders").set({ link: "https://theirs.test/pay" }).execute()
    const block = {
      kind: "customer",
      value: String(rowsOfBefore.clients?.id),
      reason: "Ana@home",
      at: 1,
    } as const
    await backend.db.insertInto("blocks").values(block).execute()
  }

  test("exports every row about a customer and nothing of another customer", async () => {
    await withAna()
    const other = await placed(shop)
    const copy = await exportCustomer(backend, ANA)
    const customerTables = tables.map(({ name }) => name).filter((name) => !UNOWNED_TABLES.includes(name))
    expect(Object.keys(copy ?? {}).toSorted()).toEqual(customerTables.toSorted())
    for (const [table, rows] of Object.entries(copy ?? {}))
      expect({ table, rows }).toEqual({ table, rows: [expect.anything()] })
    expect(copy?.services?.[0]).toMatchObject({ notes: "living room", password: "0123456789" })
    const { password_hash: _, ...client } = rowsOfBefore.clients ?? {}
    expect(copy?.clients).toEqual([
      {
        ...client,
        has_password: true,
        created_at: "2025-10-09T08:53:20.001Z",
        sessions_since: "2025-10-09T08:53:20.002Z",
        sign_up_sessions_since: "2025-10-09T08:53:20.003Z",
        email_proven_at: "2025-10-09T08:53:20.004Z",
      },
    ])
    for (const strange of [other.id, other.customerId, "scrypt"])
      expect(JSON.stringify(copy)).not.toContain(strange)
    expect(await exportCustomer(backend, ["nobody"])).toBeNull()
  })

  test("refuses to erase a customer with an active service or credit without force", async () => {
    await withAna()
    const before = await linesOf(backend)
    await expect(eraseCustomer(backend, ANA, { force: false })).rejects.toThrow(
      "Cannot erase: the customer has an active or suspended service, account credit, reseller credits. Use --force",
    )
    expect(await linesOf(backend)).toEqual(before)
  })

  test.each([
    [
      "an order is paid and not set up yet",
      "an open order",
      async () => {
        const order = await placed(shop)
        await shop.billing.applyOrderEvent(order.id, "paid", NOON)
        return order
      },
    ],
    [
      "a service is suspended",
      "an active or suspended service",
      async () => {
        const order = await active(shop)
        const suspended = backend.db.updateTable("services").set({ status: "Suspended" })
        await suspended.where("id", "=", order.serviceId).execute()
        return order
      },
    ],
  ])("refuses to erase a customer of whom %s without force", async (_, reason, happen) => {
    const { customerId } = await happen()
    const erasing = eraseCustomer(backend, [customerId], { force: false })
    await expect(erasing).rejects.toThrow(`Cannot erase: the customer has ${reason}. Use --force`)
    expect(await shop.operator.customer(customerId)).not.toMatchObject({ email: "erased" })
  })

  test.each([
    ["has come since", async () => NOON + 1],
    [
      "has been given account credit",
      async (id: string) => {
        const grant = { key: "gift", amount: money(500, "EUR"), reason: "sorry", at: NOON }
        await shop.operator.grantAccountCredit(id, grant)
      },
    ],
    [
      "holds reseller credits",
      async (id: string) => {
        const row = { account: customerAccount(id), balance: 5 }
        await backend.db.insertInto("credit_balances").values(row).execute()
      },
    ],
  ])("keeps a customer without an order who %s", async (_, happen) => {
    const visitor = { email: "ben@example.test", locale: "en-en", currency: "EUR", country: "MA" } as const
    const { customerId } = await shop.billing.identify({ ...visitor, address: null, at: NOON })
    const came = await happen(customerId)
    const forget = () => eraseInactiveCustomers(backend, { before: NOON, limit: 10, passwords: "erase" })
    await backend.db
      .updateTable("clients")
      .set({ created_at: came ?? NOON })
      .where("id", "=", customerId)
      .execute()
    expect(await forget()).toBe(0)
  })

  test("goes on after the customers of the run before, and begins again after the last", async () => {
    const orders = [await placed(shop), await placed(shop), await placed(shop)]
    const [first, ...others] = orders.toSorted((one, other) => (one.customerId < other.customerId ? -1 : 1))
    const lapse = ({ id = "" }: { id?: string }) => shop.billing.applyOrderEvent(id, "deadlinePassed", NOON)
    const forget = () => eraseInactiveCustomers(backend, { before: NOON, limit: 1, passwords: "erase" })
    for (const order of others) await lapse(order)
    expect([await forget(), await forget()]).toEqual([1, 1])
    // Its customer is before those of the runs until now.
    await lapse(first ?? {})
    expect([await forget(), await forget()]).toEqual([0, 1])
  })

  test("erases all personal data of a customer and changes no amount of money", async () => {
    await withAna()
    const other = await placed(shop)
    const before = await linesOf(backend)
    for (const name of NAMES.slice(1)) expect(before.join("\n")).toContain(name)
    expect(await eraseCustomer(backend, ANA, { force: true })).toBe(1)
    expect(await eraseCustomer(backend, ANA, { force: true })).toBe(0)
    const after = await linesOf(backend)
    for (const name of NAMES)
      expect(after.filter((line) => !line.includes(other.customerId)).join("\n")).not.toContain(name)
    expect(after.filter((line) => MONEY.test(line))).toEqual(before.filter((line) => MONEY.test(line)))
    expect(after.filter((line) => line.includes(other.id))).toEqual(
      before.filter((line) => line.includes(other.id)),
    )
    expect(await findImbalances(backend)).toEqual([])
    const client = await backend.db
      .selectFrom("clients")
      .selectAll()
      .where("id", "=", "c1")
      .executeTakeFirst()
    expect(client).toMatchObject({ password_scope: "sign-up", country: "GB" })
    expect(await exportCustomer(backend, ANA)).toBeNull()
  })

  test("erases every text about a customer, in whichever table and for whatever reason it was written", async () => {
    await withAna()
    await writeAbout(backend)
    await eraseCustomer(backend, ANA, { force: true })
    expect((await linesOf(backend)).filter((line) => line.includes(WRITTEN))).toEqual([])
  })

  test("erases what operators wrote about decisions and refunds, and what they have received stays theirs to refund", async () => {
    const order = await placed(shop)
    await shop.billing.applyOrderEvent(order.id, "paid", NOON, "operator: Ana paid by bank")
    const amount = money(500, "EUR")
    const refund = { key: "refund 1", amount, toCredit: false, reason: "Ana was ill", at: NOON }
    await shop.operator.recordRefund(order.id, refund)
    const before = (await shop.operator.order(order.id))?.refundable
    await eraseCustomer(backend, [order.customerId], { force: true })
    expect((await linesOf(backend)).join("\n")).not.toContain("Ana")
    expect((await shop.operator.order(order.id))?.refundable).toEqual(before)
  })

  test("keeps the address of a refund that waits until the gateway has paid it back, or has refused to", async () => {
    for (const outcome of ["sent", "refused"] as const) {
      const order = await placed(shop)
      const id = `refund ${outcome}`
      const attempt = await opened(shop, order)
      await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON)
      const gateways = [{ id: "offshore", isWholeOnly: false }] as const
      const refund = { id, orderId: order.id, amount: money(500, "EUR"), address: "bc1-of-ana", at: NOON }
      await shop.refunds.begin({ ...refund, gateways, reason: "Ana was ill", endsService: false })
      await eraseCustomer(backend, [order.customerId], { force: true })
      expect(await shop.refunds.find(id)).toMatchObject({ address: "bc1-of-ana", reason: "" })
      if (outcome === "sent") await shop.refunds.sent(id, { claimUrl: null, at: NOON })
      else await shop.refunds.refused(id, { detail: "not as much", at: NOON })
      expect(await shop.refunds.find(id)).toMatchObject({ state: outcome, address: null })
    }
    expect((await linesOf(backend)).join("\n")).not.toMatch(/Ana|bc1-of-ana/)
  })

  test("rejects the order of a customer erased in the meantime; the retry recreates the customer", async () => {
    const request = await newOrderInput(shop.billing)
    await eraseInactiveCustomers(backend, { before: NOON, limit: 10, passwords: "erase" })
    await expect(shop.billing.placeOrder(request)).rejects.toMatchObject({ kind: "unavailable" })
    expect(await shop.billing.orderByIdempotencyKey(request.key)).toBeNull()
    expect(
      (await shop.billing.placeOrder(await newOrderInput(shop.billing, { key: request.key }))).status,
    ).toBe("placed")
  })

  test("leaves no order without an e-mail when customers order during a retention run", async () => {
    const requests = await Promise.all(
      Array.from({ length: 20 }, () => newOrderInput(shop.billing, { at: NOON + 1 })),
    )
    const forgetting = Array.from({ length: 4 }, () =>
      eraseInactiveCustomers(backend, { before: NOON, limit: 3, passwords: "erase" }),
    )
    const orders = await Promise.allSettled(requests.map((request) => shop.billing.placeOrder(request)))
    const forgotten = (await Promise.all(forgetting)).reduce((sum, count) => sum + count, 0)
    const refused = orders.filter(({ status }) => status === "rejected")
    expect(refused.length).toBeLessThanOrEqual(forgotten)
    const nameless = await backend.db
      .selectFrom("orders")
      .innerJoin("clients", "clients.id", "orders.client_id")
      .select("orders.id")
      .where("clients.email", "=", "erased")
      .execute()
    expect(nameless).toEqual([])
  })
})
