import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { importCatalogue } from "~/billing/embedded/catalogue/catalogue.server"
import type { DbContext } from "~/billing/embedded/db/transaction.server"
import { createEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import { DAY, HOUR } from "~/domain/calendar"
import type { Order } from "~/domain/orders/order"
import type { PlanChange } from "~/domain/services/plan-change"
import type { Service } from "~/domain/services/service"
import { dunningPass } from "~/flows/jobs/dunning.server"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import {
  changePlan,
  chooseNextPlan,
  type PlanChoices,
  planChoices,
} from "~/flows/services/change-plan.server"
import { renewServices } from "~/flows/services/renew-services.server"
import { pay } from "../../../tests/fixtures/purchase"
import { type Engine, engines, openTemporaryDatabase } from "../../../tests/fixtures/temporary-database"
import { termPolicy } from "../../../tests/fixtures/term-policy"
import { catalogue, openTestShop, pricing } from "../../../tests/fixtures/test-shop"
import { startTrial } from "./start-trial.server"

const HOURS = 48
/** Price of a month of each plan. */
const prices: Readonly<Record<string, number>> = { "1": 10_00, plus: 20_00, mini: 5_00 }
const RUNS: Readonly<Record<Engine, number>> = { SQLite: 10, PostgreSQL: 3 }

async function openShop(engine: Engine) {
  const database = await openTemporaryDatabase(engine)
  const ctx: DbContext = { db: database.db, newId: database.newId, terms: termPolicy }
  const tried = (await catalogue()).products.find(({ kind, id }) => kind === "plan" && id === "1")
  if (!tried) throw new Error("no plan")
  const products = Object.entries(prices).map(([id, monthly]) => ({
    ...tried,
    id,
    pricing: { EUR: { monthly } },
  }))
  const [first, ...others] = products
  if (!first) throw new Error("no plan")
  await importCatalogue(ctx, { products: [{ ...first, trialHours: HOURS }, ...others], promotions: [] })
  const shop = await openTestShop({ openBilling: async () => createEmbeddedBilling(ctx) })
  return { ...shop, ctx, close: database.close }
}

const anyStep = fc.oneof(
  fc.record({ do: fc.constant("wait" as const), hours: fc.integer({ min: 1, max: 24 * 25 }) }),
  fc.record({ do: fc.constant("renew" as const), cycles: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant("change" as const), to: fc.constantFrom(...Object.keys(prices)) }),
  fc.record({ do: fc.constant("refund" as const) }),
  fc.record({ do: fc.constant("terminate" as const) }),
)
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

/** Price of the paid time between two times, by the longest month: no more than it has cost. */
function usedOf(
  { productId, status, paidUntil }: Service,
  { from, to }: { from: number; to: number },
): number {
  const span = Math.min(to, paidUntil ?? 0) - from
  return status === "Active" && span > 0 ? ((prices[productId] ?? 0) * span) / (31 * DAY) : 0
}

type ChangeNow = Extract<PlanChange, { when: "now" }>

/** A customer who has had a trial and does what is possible of each step. */
async function customerOf(shop: Awaited<ReturnType<typeof openShop>>) {
  const { services, billing } = shop
  let keys = 0
  const buyer = () => {
    keys += 1
    const [gateway, locale, country] = ["offshore" as const, "en-en" as const, "XX" as const]
    return {
      customer: null,
      orderId: null,
      key: `key ${keys}`,
      gateway,
      locale,
      country,
      address: null,
      browser: null,
    }
  }
  const trial = () =>
    startTrial(services, {
      planId: "1",
      email: "ana@example.test",
      key: `trial ${++keys}`,
      customer: null,
      pricing,
      locale: "en-en",
      address: `5.9.1.${keys}`,
      browser: `browser ${keys}`,
      affiliateId: null,
    })
  const started = await trial()
  if (started.kind !== "started") throw new Error(started.reason)
  await runJobs(services)
  const { serviceId } = started.order
  const trialEnd = services.now() + HOURS * HOUR
  const pass = dunningPass(services, {
    holder: "i1",
    steadyNow: () => services.now(),
    renewFromBalance: async () => {},
  })
  const paidOrders: Order[] = []
  const sums = { paid: 0, refunded: 0, used: 0, changes: 0 }

  async function find() {
    const service = await billing.billing.service(serviceId)
    if (!service) throw new Error("no service")
    return service
  }

  async function payFor(order: Order) {
    if (order.total.minor > 0 && order.status === "placed") {
      await openPayment(services, order, { gateway: "offshore", coin: null })
      await pay(shop, order)
      sums.paid += order.total.minor
      paidOrders.push(order)
    }
    await runJobs(services)
  }

  async function waitFor(span: number) {
    sums.used += usedOf(await find(), { from: Math.max(services.now(), trialEnd), to: services.now() + span })
    shop.wait(span)
    await services.dunning?.observe(services.now())
    await pass()
    await runJobs(services)
    await runJobs(services, "terms")
  }

  async function changeNow(
    service: Service,
    { wait, change }: { wait: PlanChoices["wait"]; change: ChangeNow },
  ) {
    const { productId, cycle, price, due } = change
    const shown = { productId, cycle, price: price.minor, at: services.now(), due: due.minor }
    const placement = await changePlan(services, { ...buyer(), service, shown })
    expect(placement.kind).toBe(wait ? "rejected" : "placed")
    if (placement.kind !== "placed") return
    sums.changes += 1
    await payFor(placement.order)
  }

  const steps: { [D in Step["do"]]: (step: Extract<Step, { do: D }>) => Promise<void> } = {
    /** Day by day, as the plan may change with each. */
    async wait({ hours }) {
      for (let left = hours * HOUR; left > 0; left -= DAY) await waitFor(Math.min(left, DAY))
    },
    async renew({ cycles }) {
      const renewed = [{ service: await find(), cycles, shown: null }]
      const placement = await renewServices(services, { ...buyer(), renewed })
      if (placement.kind === "placed") await payFor(placement.order)
    },
    async change({ to }) {
      const service = await find()
      const choices = await planChoices(services, services.billing, { service, at: services.now() })
      const change = choices?.changes.find(({ productId }) => productId === to)
      if (!choices || !change) return
      if (change.when === "now") return changeNow(service, { wait: choices.wait, change })
      await chooseNextPlan(services, service, {
        productId: to,
        cycle: change.cycle,
        price: change.price.minor,
      })
    },
    async refund() {
      const order = paidOrders.pop()
      const attempt = order && (await billing.payments.latestAttempt(order.id))
      if (!order || !attempt) return
      const received = { minor: 0, currency: order.total.currency }
      const update = { eventKey: `refund ${order.id}`, attemptId: attempt.id, transactionId: null } as const
      await billing.payments.recordPaymentUpdate(
        "offshore",
        { ...update, status: "refunded", received },
        services.now(),
      )
      sums.refunded += order.total.minor
    },
    async terminate() {
      await billing.operator.terminateService(serviceId, {
        owner: "operator",
        reason: null,
        at: services.now(),
      })
      await runJobs(services)
    },
  }

  async function doStep(step: Step): Promise<void> {
    switch (step.do) {
      case "wait":
        return steps.wait(step)
      case "renew":
        return steps.renew(step)
      case "change":
        return steps.change(step)
      case "refund":
        return steps.refund(step)
      case "terminate":
        return steps.terminate(step)
    }
  }

  const { customerId, username } = await find()
  return {
    doStep,
    async check() {
      expect(await billing.operator.findImbalances()).toEqual([])
      const credit = await services.payments.accountCredit(customerId, "EUR")
      expect(credit.minor).toBeGreaterThanOrEqual(0)
      const facts = await services.billing.planFacts(serviceId, services.now())
      const unused = facts?.unused.minor ?? 0
      expect(unused).toBeLessThanOrEqual(sums.paid - sums.refunded)
      // Rounding of each change.
      expect(sums.used + unused + credit.minor).toBeLessThanOrEqual(sums.paid + 2 * sums.changes + 1)
      expect((await trial()).kind).toBe("refused")
      expect((await find()).username).toBe(username)
    },
  }
}

describe.each(engines)("on %s", (engine) => {
  test("no sequence of a trial, renewals, changes, refunds and terminations gains time, money or another trial", {
    timeout: 180_000,
  }, async () => {
    const sequences = fc.array(anyStep, { minLength: 3, maxLength: 9 })
    const check = async (sequence: readonly Step[]) => {
      const shop = await openShop(engine)
      const customer = await customerOf(shop)
      for (const step of sequence) {
        await customer.doStep(step)
        await customer.check()
      }
      await shop.close()
    }
    await fc.assert(fc.asyncProperty(sequences, check), { numRuns: RUNS[engine], endOnFailure: true })
  })
})
