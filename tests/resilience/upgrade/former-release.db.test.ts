import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { openDatabase } from "~/billing/embedded/db/database.server"
import { migrate } from "~/billing/embedded/db/migrate.server"
import type { LoggedServices } from "~/context/services.server"
import { emptySession } from "~/context/session.server"
import { DAY, MINUTE } from "~/domain/calendar"
import type { AuthenticatedCustomer } from "~/domain/customers/customer"
import { money } from "~/domain/money/money"
import type { Service } from "~/domain/services/service"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { startEarlierTerms } from "~/flows/jobs/start-earlier-terms.server"
import { pollOrderPayment } from "~/flows/payments/poll-gateway.server"
import { createLine } from "~/flows/resellers/create-line.server"
import { accessibleServices } from "~/flows/services/accessible-services.server"
import { signIn } from "~/middleware/customers/sign-in.server"
import { emailLogin } from "~/middleware/entry-links/email-login.server"
import { copyOfFile, expected, openFormerShop, sources } from "../../fixtures/former-release"
import { meet } from "../../fixtures/middleware-harness"
import { buy, buyPlan } from "../../fixtures/purchase"
import { reopened, runGuard } from "../../fixtures/session-harness"
import { choice, TOTAL } from "../../fixtures/test-shop"

describe.each(sources)("upgrade from $title of release 2dee972", (source) => {
  const { facts } = source
  const credentials = { username: facts.username, password: facts.password, host: facts.host }

  let shop: Awaited<ReturnType<typeof openFormerShop>>
  beforeEach(async () => {
    shop = await openFormerShop(source)
  })
  afterEach(() => shop.close())

  /** Returns a customer whose scope is the whole account. */
  async function customerOf(email: string): Promise<AuthenticatedCustomer> {
    const customer = await shop.services.billing.customerOf(email)
    if (!customer) throw new Error(`No customer ${email}`)
    return { ...customer, reach: "account" }
  }

  async function orderOf(email: string) {
    const listed = await shop.billing.operator.orders({ limit: 99 })
    const order = await shop.services.billing.order(listed.find((it) => it.email === email)?.id ?? "")
    if (!order) throw new Error(`No order of ${email}`)
    return order
  }

  test("the accounts balance, and a paid order keeps its promo code, total and timeline", async () => {
    expect(await shop.billing.operator.findImbalances()).toEqual([])
    const order = await orderOf("ana@example.test")
    expect(order).toMatchObject({
      status: "active",
      total: money(71_10, "EUR"),
      received: money(71_10, "EUR"),
    })
    expect(order.lines).toContainEqual(expect.objectContaining({ kind: "discount", code: "WELCOME10" }))
    const events = await shop.services.billing.timeline(order.id)
    expect(events.map(({ kind }) => kind)).toEqual(["placed", "handed-off", "paid", "provisioned"])
    expect(await shop.services.billing.promotionUses("WELCOME10")).toBe(1)
  })

  test("the customer's password still signs in and shows the service", async () => {
    const path = "/checkout/de-de?signin"
    const form = { email: "ana@example.test", password: expected.customerPassword }
    const wrong = await meet(signIn, { services: shop.services, path, form: { ...form, password: "wrong" } })
    expect(wrong.status).toBe(401)
    const { location, session } = await meet(signIn, { services: shop.services, path, form })
    expect([location, session.customer?.reach]).toEqual(["/checkout/de-de/success", "account"])
    expect(await accessibleServices(shop.services, session)).toMatchObject([
      { status: "Active", cycle: "annually", ...credentials },
    ])
  })

  test("the signed link signs in and shows the service", async () => {
    const path = facts.link.replace("/checkout/", "/checkout/de-de")
    const { location, session } = await meet(emailLogin, { services: shop.services, path })
    expect(location).toBe("/checkout/de-de/success")
    expect(await accessibleServices(shop.services, session)).toMatchObject([credentials])
    const forged = path.replace("expires=1", "expires=2")
    expect((await meet(emailLogin, { services: shop.services, path: forged })).session.customer).toBeNull()
  })

  test("a session cookie of the former release restores its order and purchases, signed out", async () => {
    const session = reopened(shop, facts.cookie)
    expect(session).toMatchObject({ customer: null, orderId: (await orderOf("ana@example.test")).id })
    expect(await accessibleServices(shop.services, session)).toMatchObject([credentials])
    expect((await runGuard(shop, facts.cookie)).shown).toBe(1)
    expect(reopened(shop, facts.cookie.slice(0, -1))).toEqual(emptySession)

    const reseller = await accessibleServices(shop.services, reopened(shop, facts.resellerCookie))
    expect(reseller).toMatchObject([{ kind: "reseller", status: "Active" }])
  })

  test("an open payment is due for polling, and once paid its service is provisioned", async () => {
    const order = await orderOf("bob@example.test")
    expect(order.status).toBe("awaiting-payment")
    const { payments, now } = shop.services
    const due = await payments.attemptsDueForPolling("offshore", now() + MINUTE, 9)
    expect(due).toMatchObject([{ orderId: order.id, amount: money(12_00, "EUR") }])
    expect(due[0]?.polledAt).toBeGreaterThan(Date.parse(facts.writtenAt) - 5 * MINUTE)
    const services = withPayment(due[0]?.id ?? "", order.total.minor)
    await pollOrderPayment(services, order.id)
    await runJobs(services)
    expect(await services.billing.order(order.id)).toMatchObject({ status: "active" })
    expect(await services.billing.service(order.serviceId)).toMatchObject({ status: "Active" })
    expect(await shop.billing.operator.findImbalances()).toEqual([])
  })

  /** The fake gateway names a payment after its attempt; the former release's sandbox did not. */
  function withPayment(attemptId: string, minor: number): LoggedServices {
    shop.gateway.reports("paid", minor)
    const { gateway } = shop.gateway
    const paid = { ...gateway, fetchPayment: () => gateway.fetchPayment({ paymentId: attemptId }) }
    return { ...shop.services, gateways: new Map([["offshore", paid]]) }
  }

  test("a plan is sold with the promo code of the old catalogue", async () => {
    const choices = { ...choice, email: "dora@example.test", promoCode: "WELCOME10" }
    const order = await buyPlan(shop, { choices, agreedTotal: TOTAL * 0.9 })
    expect(await shop.services.billing.order(order.id)).toMatchObject({ status: "active" })
    expect(await shop.services.billing.service(order.serviceId)).toMatchObject({ status: "Active" })
    expect(await shop.services.billing.promotionUses("WELCOME10")).toBe(2)
  })

  test("account credit of an overpayment pays for the next order", async () => {
    const customer = await customerOf("carl@example.test")
    const { order } = await buy(shop, { choices: { ...choice, email: "carl@example.test" }, customer })
    expect(order.credited).toEqual(money(-5_40, "EUR"))
    expect(await shop.billing.operator.findImbalances()).toEqual([])
  })

  test("a service has the end that its payment bought, and nobody is cut off by it", async () => {
    const { billing } = shop.services
    const [ana, rita] = await Promise.all([customerOf("ana@example.test"), customerOf("rita@example.test")])
    const before = [...(await billing.servicesOf(ana)), ...(await billing.servicesOf(rita))]
    await startEarlierTerms(shop.services)
    shop.wait(60 * DAY)
    await startEarlierTerms(shop.services)
    await runJobs(shop.services)
    const after = [...(await billing.servicesOf(ana)), ...(await billing.servicesOf(rita))]
    expect(after.map(({ status, username, host }) => ({ status, username, host }))).toEqual(
      before.map(({ status, username, host }) => ({ status, username, host })),
    )
    expect(shop.panel.received).toEqual([])
    for (const service of after) expect(service.paidUntil).toBe(await endBought(service))
    expect(shop.log.filter(({ msg }) => msg === "terms of earlier services started")).toHaveLength(1)
  })

  /** The same day and time in Madrid, a cycle after the payment; a line is placed and paid at once. */
  async function endBought({ kind, cycle, orderId }: Service): Promise<number | null> {
    if (kind === "reseller") return null
    const timeline = await shop.services.billing.timeline(orderId)
    const paid = timeline.find((it) => it.kind === "paid") ?? timeline[0]
    const end = new Date(paid?.at ?? Number.NaN)
    end.setUTCMonth(end.getUTCMonth() + (cycle === "annually" ? 12 : 1))
    return end.getTime()
  }

  test("the reseller keeps credits and line, and can create another", async () => {
    const rita = await customerOf("rita@example.test")
    const before = await shop.services.billing.servicesOf(rita)
    const account = before.find(({ kind }) => kind === "reseller")
    if (!account) throw new Error("No reseller service")
    expect(before).toContainEqual(expect.objectContaining({ notes: "Leo, living room", status: "Active" }))
    expect((await shop.services.billing.resellerCredits(rita, 9)).balance).toBe(24)
    const request = {
      customer: rita,
      service: account,
      key: "line-2",
      notes: "Mia",
      locale: "en-en",
    } as const
    const made = await createLine(shop.services, { ...request, address: null, country: "ES", browser: null })
    expect(made).toMatchObject({ kind: "made" })
    await runJobs(shop.services)
    const lines = await shop.services.billing.servicesOf(rita)
    expect(lines.filter(({ kind, status }) => kind === "plan" && status === "Active")).toHaveLength(2)
    expect((await shop.services.billing.resellerCredits(rita, 9)).balance).toBe(23)
  })
})

test("the mirror keeps the ids of external orders and services", async () => {
  const { url, close } = copyOfFile("mirror.db")
  const db = openDatabase({ url, timeoutMs: 10_000 })
  await migrate(db)
  const orders = await db
    .selectFrom("external_orders")
    .select(["order_id", "state", "their_order_id", "poll_after"])
    .orderBy("order_id")
    .execute()
  expect(orders).toEqual(expected.mirror.external_orders)
  const services = await db.selectFrom("services").select(["id", "local_id"]).orderBy("id").execute()
  expect(services).toEqual(expected.mirror.services)
  await db.destroy()
  close()
})
