import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { SECOND } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { accountPath, pathOf } from "~/domain/orders/screen-paths"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { customerSession, sessionLeft } from "../../../tests/fixtures/session-harness"
import { respond, type Visit } from "../../../tests/fixtures/shop-router"
import { choice, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
let bought: Order
beforeEach(async () => {
  shop = await openTestShop()
  bought = await buyPlan(shop)
})
afterEach(() => shop.billing.close())

type Session = NonNullable<Visit["session"]>

const sessionOf = (order: Order, changes: Session = {}) => customerSession(shop, order, changes)

const accountData = accountPath.replace("?", ".data?")
const shown = async (session: Session, path = accountData) =>
  (await respond(shop.services, { path, session })).text()

describe("the page of an account", () => {
  test("lists the services and payments of all orders, each with its receipt", async () => {
    const second = await buyPlan(shop, { key: "second" })
    const page = await shown(sessionOf(bought))
    expect(page).toContain(bought.id)
    expect(page).toContain(second.id)
    expect(page).toContain(`serviceid=${second.serviceId}&also=${bought.serviceId}`)
    const receipt = await shown(sessionOf(bought), `${accountData}&receipt=${bought.id}`)
    expect(receipt).toContain(bought.id)
  })

  test("does not offer to renew several at once on WHMCS, where one order pays one invoice", async () => {
    const second = await buyPlan(shop, { key: "second" })
    const amount = money(1_000, "EUR")
    const unpaid = [bought, second].map(({ serviceId }, at) => {
      return { invoiceId: String(at), due: null, balance: amount, items: [{ serviceId, cycles: 1, amount }] }
    })
    const invoiceRenewals = {
      renewalInvoices: async () => unpaid,
      openInvoiceRenewal: () => Promise.reject(new Error("not called")),
      placeInvoiceRenewal: () => Promise.reject(new Error("not called")),
      settleInvoiceRenewal: () => Promise.reject(new Error("not called")),
    }
    shop.services = { ...shop.services, invoiceRenewals }
    const page = await shown(sessionOf(bought))
    expect(page).toContain(second.id)
    expect(page).not.toContain("also=")
  })

  test("shows nothing of another customer, whose receipt is not found by its number", async () => {
    const other = await buyPlan(shop, { key: "other", choices: { ...choice, email: "eva@example.test" } })
    const page = await shown(sessionOf(bought), `${accountData}&receipt=${other.id}`)
    expect(page).toContain(bought.id)
    expect(page.replace(`receipt=${other.id}`, "")).not.toContain(other.id)
  })

  test("asks a browser that only bought to sign in, and changes nothing for it", async () => {
    const session = { id: "s1", serviceIds: [bought.serviceId], sealedAt: shop.services.now() }
    expect((await respond(shop.services, { path: accountPath, session })).status).toBe(401)
    const form = { intent: "end-sessions" }
    expect((await respond(shop.services, { path: accountPath, session, form })).status).toBe(401)
    expect((await respond(shop.services, { path: pathOf.viewer.success, session })).status).toBe(200)
  })

  test("signs out every other browser and goes on in this one", async () => {
    const buyer: Session = {
      id: "s3",
      serviceIds: [bought.serviceId],
      sealedAt: shop.services.now() - SECOND,
    }
    const others = [sessionOf(bought, { id: "s2" }), buyer]
    const statuses = () =>
      Promise.all(
        others.map(
          async (session) => (await respond(shop.services, { path: pathOf.viewer.success, session })).status,
        ),
      )
    expect(await statuses()).toEqual([200, 200])
    const session = sessionOf(bought)
    const ended = await respond(shop.services, {
      path: accountPath,
      session,
      form: { intent: "end-sessions" },
    })
    expect(ended.status).toBe(303)
    expect(await statuses()).toEqual([401, 401])
    const own = sessionLeft(shop, ended)
    expect(own.id).not.toBe(session.id)
    expect(await shown(own)).toContain(bought.id)
    // A copy of the cookie from before gives no access either.
    expect((await respond(shop.services, { path: accountPath, session })).status).toBe(401)
  })

  test("answers an unknown button with 404", async () => {
    const form = { intent: "renew" }
    const response = await respond(shop.services, { path: accountPath, session: sessionOf(bought), form })
    expect(response.status).toBe(404)
  })

  test("shows a sign-up no account credit and no order of another password", async () => {
    const { customerId: id, email } = bought
    const customer = { id, email, currency: "EUR", reach: "sign-up" } as const
    const page = await shown(sessionOf(bought, { customer }))
    expect(page).not.toContain("account credit")
    expect(page).not.toContain(bought.id)
  })
})
