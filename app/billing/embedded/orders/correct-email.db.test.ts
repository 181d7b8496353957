import { afterEach, beforeEach, describe, expect, test } from "vitest"
import {
  active,
  catalogueFixture,
  NOON,
  opened,
  paymentUpdate,
  placed,
  together,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { importCatalogue } from "../catalogue/catalogue.server"
import { createEmbeddedBilling } from "../open-embedded-billing.server"

describe.each(engines)("a corrected e-mail on %s", (engine) => {
  let database: TemporaryDatabase
  let backend: ReturnType<typeof open>
  beforeEach(async () => {
    database = await openTemporaryDatabase(engine)
    const catalogue = catalogueFixture.promotions.map(({ remainingUses, ...it }) => ({
      ...it,
      maxUses: remainingUses,
    }))
    await importCatalogue(database, { products: catalogueFixture.products, promotions: catalogue })
    backend = open()
  })
  afterEach(() => database.close())

  function open() {
    const { db, newId } = database
    const mail = { orders: true, reminders: false, operator: true }
    return {
      ...createEmbeddedBilling({ db, newId, mail }),
      ledger: async () => ({ received: [], credit: [] }),
    }
  }

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
    const order = await placed(backend)
    const attempt = await opened(backend, order)
    const visitor = right()
    await Promise.all([
      backend.billing.correctEmail(order.id, visitor),
      backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON),
    ])
    const owners = await Promise.all(
      (["orders", "invoices", "services", "payments"] as const).map((table) =>
        database.db.selectFrom(table).select("client_id").execute(),
      ),
    )
    const { customerId, email } = (await backend.billing.order(order.id)) ?? {}
    expect(email).toBe(visitor.email)
    expect(owners.flat()).toEqual(owners.flat().map(() => ({ client_id: customerId })))
    expect(await backend.operator.findImbalances()).toEqual([])
  })
})
