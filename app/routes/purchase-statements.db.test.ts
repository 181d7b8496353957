import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { seedIfEmpty } from "~/billing/embedded/catalogue/catalogue.server"
import { createEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import { SECOND } from "~/domain/calendar"
import type { TaxRules } from "~/domain/tax/tax"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { runMailQueue } from "~/flows/mail/run-mail-queue.server"
import { recordPaymentUpdate } from "~/flows/payments/record-payment-update.server"
import type { Mailer } from "~/mail/mailer"
import { buyPlan } from "../../tests/fixtures/purchase"
import { reopened } from "../../tests/fixtures/session-harness"
import { respond, type Visit } from "../../tests/fixtures/shop-router"
import { germanTax } from "../../tests/fixtures/tax-rules"
import { engines, openTemporaryDatabase } from "../../tests/fixtures/temporary-database"
import { termPolicy } from "../../tests/fixtures/term-policy"
import { catalogue, choice, openTestShop, TOTAL } from "../../tests/fixtures/test-shop"
import { statementsOf } from "../../tests/support/db/statement-counter"

const mailer: Mailer = { send: async () => ({ kind: "sent", response: "250 ok" }) }
const mail = { orders: true, reminders: false, operator: true, creditsLow: 5 }

/** A buyer looks at each page for some seconds: the cached price list has expired then, and is read each time here. */
const LOOKS_FOR = 5 * SECOND

/** `transactions`: those of several statements. */
type Count = { readonly statements: number; readonly transactions: number }

const count = (statements: number, transactions = 0): Count => ({ statements, transactions })

/** The most that each step of a purchase may need: lower a number when a step needs less. */
const limits: Readonly<Record<string, Count>> = {
  "GET checkout": count(3),
  // One for the account credit; whoever has some, two more: whether the session was ended, and what a gateway is paying back of it.
  "GET checkout, signed in": count(5),
  "GET checkout, with account credit": count(7),
  "POST checkout": count(3),
  "GET creatingOrder": count(1),
  "POST creatingOrder": count(16, 2),
  callback: count(12, 1),
  provisioning: count(11, 1),
  messages: count(10, 2),
  "GET waiting, from the gateway": count(4),
  "GET waiting after the payment": count(2),
  "GET success": count(10),
  "GET waiting, asking the gateway": count(10),
  "a poll": count(2),
  "a poll that asks the gateway": count(3),
}

/** The steps that need more than their limit. */
function above(
  counts: ReadonlyMap<string, Count>,
  others: Readonly<Record<string, Count>> = {},
): readonly [string, Count][] {
  return [...counts].filter(([step, { statements, transactions }]) => {
    const most = others[step] ?? limits[step] ?? count(0)
    return statements > most.statements || transactions > most.transactions
  })
}

describe.each(engines)("a purchase on %s", (engine) => {
  let stage: Awaited<ReturnType<typeof openStage>>
  beforeEach(async () => {
    stage = await openStage()
  })
  afterEach(() => stage.close())

  async function openStage(tax?: TaxRules) {
    const database = await openTemporaryDatabase(engine)
    const policies = { mail, terms: termPolicy, tax: tax && { rules: tax, timeZone: "UTC" } }
    const ctx = { db: database.db, newId: database.newId, ...policies }
    await seedIfEmpty(ctx, catalogue)
    const statements = statementsOf(database.db)
    const openBilling = async () => createEmbeddedBilling(ctx)
    const shop = await openTestShop({ mailer, mail, openBilling, ...(tax && { tax }) })
    const { services, wait } = shop
    const cookies = new Map<string, string>()
    return {
      ...shop,
      services: { ...services, mailer },
      close: database.close,
      counts: new Map<string, Count>(),
      session: () => reopened(shop, cookies.get("checkout") ?? ""),
      /** Counts the statements and transactions of a step. */
      async counted<T>(step: string, act: () => Promise<T>): Promise<T> {
        const before = statements.length
        const result = await act()
        const sent = statements.slice(before)
        const ends = sent.filter((it) => /^(begin|start transaction|commit)/i.test(it)).length
        this.counts.set(step, { statements: sent.length - ends, transactions: ends / 2 })
        return result
      },
      /** Sends a request with the browser's cookies, and counts it. */
      visit(step: string, visit: Visit): Promise<Response> {
        wait(LOOKS_FOR)
        return this.counted(step, () => this.send(visit))
      },
      async send(visit: Visit): Promise<Response> {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
        const response = await respond(
          this.services,
          visit.session ? visit : { ...visit, headers: { cookie } },
        )
        for (const line of response.headers.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          cookies.set(name, value)
        }
        await response.text()
        return response
      },
    }
  }

  async function buy() {
    const form = {
      intent: "pay",
      plan: "3",
      email: choice.email,
      gateway: "offshore",
      extraConnection: "on",
      shown: String(TOTAL),
    }
    await stage.visit("GET checkout", { path: "/" })
    await stage.visit("POST checkout", { path: "/", form })
    await stage.visit("GET creatingOrder", { path: "/creatingOrder" })
    const draft = stage.session().draft?.key ?? ""
    await stage.visit("POST creatingOrder", {
      path: "/creatingOrder",
      form: { draft, total: String(TOTAL) },
    })
    const [payment] = stage.gateway.opened
    if (!payment) throw new Error("No payment was opened")
    return payment
  }

  test.each([
    ["taxes nothing", undefined],
    ["taxes", germanTax],
  ])("needs no more statements and transactions than its limits in a shop that %s", async (_, tax) => {
    await stage.close()
    stage = await openStage(tax)
    const { services } = stage
    const { attemptId, amount, returnUrl } = await buy()
    const update = {
      eventKey: "paid",
      attemptId,
      status: "paid",
      received: amount,
      transactionId: "t1",
    } as const
    await stage.counted("callback", () => recordPaymentUpdate(services, "offshore", update))
    await stage.counted("provisioning", () => runJobs(services))
    const { signal } = new AbortController()
    await stage.counted("messages", () => runMailQueue(services, { queue: "mail", signal }))
    await stage.visit("GET waiting, from the gateway", { path: returnUrl.replace(/^.*\/checkout/, "") })
    await stage.visit("GET waiting after the payment", { path: "/waiting" })
    const { status } = await stage.visit("GET success", { path: "/success" })
    expect(status).toBe(200)
    const { orderId } = stage.session()
    const order = await services.billing.order(orderId ?? "")
    expect(order?.tax?.lines.length).toBe(tax && 2)
    // In a shop that taxes, the page asks for the business of its customer and the documents of the receipt, the message for the
    // number of the invoice.
    const taxed = { "GET success": count(12), messages: count(11, 2) }
    expect(above(stage.counts, tax ? taxed : {})).toEqual([])
  })

  test("needs no more statements for the checkout of a signed-in customer", async () => {
    const { payments, billing, now } = stage.services
    const order = await buyPlan(stage)
    const id = order.customerId
    const customer = { id, email: order.email, currency: "EUR", reach: "account" } as const
    const session = { id: "s1", sealedAt: now(), customer, proof: { how: "password", at: now() } } as const
    await stage.visit("GET checkout, signed in", { path: "/", session })
    const given = { key: "grant", amount: order.total, reason: "test", at: now() }
    await stage.billing.operator.grantAccountCredit(id, given)
    await stage.visit("GET checkout, with account credit", { path: "/", session })
    expect((await payments.accountCredit(id, "EUR")).minor).toBe(TOTAL)
    expect((await billing.servicesOf(customer)).length).toBe(1)
    expect(above(stage.counts)).toEqual([])
    expect([...stage.counts.values()].map(({ statements }) => statements)).toEqual([5, 7])
  })

  test("needs no more statements for a look at the waiting page", async () => {
    await buy()
    await stage.visit("GET waiting, asking the gateway", { path: "/waiting" })
    await stage.visit("a poll", { path: "/api/order-status" })
    stage.wait(SECOND - LOOKS_FOR)
    await stage.visit("a poll that asks the gateway", { path: "/api/order-status" })
    expect(stage.gateway.requests).toHaveLength(2)
    expect(above(stage.counts)).toEqual([])
  })
})
