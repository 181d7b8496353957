import { sql } from "kysely"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { Order } from "~/domain/orders/order"
import {
  active,
  NOON,
  opened,
  paymentUpdate,
  placed,
  together,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import {
  type MailingDatabase,
  openMailingDatabase,
  usualMail,
} from "../../../../tests/fixtures/mailing-database"
import { engines } from "../../../../tests/fixtures/temporary-database"

describe.each(engines)("a corrected e-mail on %s", (engine) => {
  let database: MailingDatabase
  let backend: ReturnType<MailingDatabase["billingWith"]>
  beforeEach(async () => {
    database = await openMailingDatabase(engine)
    backend = database.billingWith(usualMail)
  })
  afterEach(() => database.close())

  const right = (email = `right-${unique()}@example.test`) => ({
    email,
    locale: "en-en" as const,
    currency: "EUR" as const,
    country: "MA",
    address: null,
    at: NOON + 1,
  })
  const mails = () =>
    database.db
      .selectFrom("mails")
      .innerJoin("clients", "clients.id", "mails.client_id")
      .select(["name", "clients.email", "state"])
      .orderBy("mails.created_at")
      .execute()

  test("sends the receipt that waits to the right address, once", async () => {
    const order = await active(backend)
    const visitor = right()
    await backend.billing.correctEmail(order.id, visitor)
    expect(await mails()).toEqual([{ name: "receipt", email: visitor.email, state: "waiting" }])
  })

  test("sends a receipt again that went to the mistyped address", async () => {
    const order = await active(backend)
    await database.db.updateTable("mails").set({ state: "sent" }).execute()
    const visitor = right()
    await together(3, () => backend.billing.correctEmail(order.id, visitor))
    expect(await mails()).toEqual([
      { name: "receipt", email: order.email, state: "sent" },
      { name: "receipt", email: visitor.email, state: "waiting" },
    ])
  })

  test("of an unpaid order causes no message", async () => {
    const order = await placed(backend)
    await backend.billing.correctEmail(order.id, right())
    expect(await mails()).toEqual([])
  })

  test("and a payment at the same moment leave one owner of order, invoice, service and payment", async () => {
    for (let time = 0; time < 8; time++) {
      const order = await placed(backend)
      const attempt = await opened(backend, order)
      const visitor = right()
      await Promise.all([
        backend.billing.correctEmail(order.id, visitor),
        backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON),
      ])
      expect(await ownersOf(order)).toEqual([visitor.email, visitor.email, visitor.email, visitor.email])
    }
    expect(await backend.operator.findImbalances()).toEqual([])
  })

  async function ownersOf({ id, invoiceId }: Order) {
    const client = (table: "orders" | "invoices" | "services" | "payments", column: string, value: string) =>
      sql<{ email: string }>`select clients.email from ${sql.table(table)}
        join clients on clients.id = client_id where ${sql.ref(`${table}.${column}`)} = ${value}`
    const owners = await Promise.all([
      client("orders", "id", id).execute(database.db),
      client("invoices", "id", invoiceId).execute(database.db),
      client("services", "order_id", id).execute(database.db),
      client("payments", "invoice_id", invoiceId).execute(database.db),
    ])
    return owners.flatMap(({ rows }) => rows.map(({ email }) => email))
  }
})
