import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { AccessScope } from "~/domain/customers/customer"
import { NOON, placed } from "../../../../tests/contracts/billing/billing-fixtures"
import {
  engines,
  openTemporaryDatabase,
  type TemporaryDatabase,
} from "../../../../tests/fixtures/temporary-database"
import { createEmbeddedBilling } from "../open-embedded-billing.server"

describe.each(engines)("diagnoseAccess on %s", (engine) => {
  let backend: TemporaryDatabase
  beforeEach(async () => {
    backend = await openTemporaryDatabase(engine)
  })
  afterEach(() => backend.close())
  const shop = () => createEmbeddedBilling({ db: backend.db, newId: backend.newId })

  const signUp = async (email: string) => {
    const visitor = {
      email,
      locale: "en-en",
      currency: "EUR",
      country: "ES",
      address: null,
      at: NOON,
    } as const
    const account = { ...visitor, password: "correct horse battery", existing: false }
    const customer = await shop().billing.resellerAuth(account)
    if (!customer) throw new Error("Account not created")
    return customer
  }
  const order = async (customerId: string, accessScope: AccessScope | null) => {
    const backend = { ...shop(), ledger: async () => ({ received: [], credit: [] }), close: async () => {} }
    const { id } = await placed(backend, { customerId, accessScope })
    await shop().billing.applyOrderEvent(id, "paid", NOON)
    return { id }
  }
  const result = async () =>
    (await shop().operator.diagnoseAccess()).map(({ ok, message }) => [ok, message.split(" ")[0]])

  test("reports nothing if every order was placed with the sign-up password", async () => {
    const { id, ...scope } = await signUp("ana@example.test")
    await order(id, scope)
    expect(await result()).toEqual([
      [true, "none"],
      [true, "none"],
    ])
  })

  test("does not count an account for an order that another customer has placed without signing in", async () => {
    const { id, ...scope } = await signUp("ana@example.test")
    await order(id, scope)
    const ben = { email: "ben@example.test", locale: "en-en", currency: "EUR", country: "ES" } as const
    const { customerId } = await shop().billing.identify({ ...ben, address: null, at: NOON })
    await order(customerId, null)
    expect(await result()).toEqual([
      [true, "none"],
      [true, "none"],
    ])
  })

  test("counts accounts with older orders without a password id, until the sign-up password is ended", async () => {
    const { id, ...scope } = await signUp("ana@example.test")
    const { id: orderId } = await order(id, scope)
    await backend.db
      .updateTable("orders")
      .set({ access_scope: null, password_id: null })
      .where("id", "=", orderId)
      .execute()
    expect(await result()).toEqual([
      [null, "1"],
      [true, "none"],
    ])
    await shop().billing.endSignUpPassword(id, NOON)
    expect(await result()).toEqual([
      [true, "none"],
      [true, "none"],
    ])
  })

  test("counts accounts with orders placed without the sign-up password, authenticated for the account or not at all", async () => {
    const [ana, ben] = [await signUp("ana@example.test"), await signUp("ben@example.test")]
    await order(ana.id, { reach: "account" })
    await order(ben.id, null)
    expect(await result()).toEqual([
      [true, "none"],
      [null, "2"],
    ])
  })
})
