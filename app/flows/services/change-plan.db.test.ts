import type { KyselyPlugin } from "kysely"
import { afterEach, describe, expect, test } from "vitest"
import { importCatalogue } from "~/billing/embedded/catalogue/catalogue.server"
import type { DbContext } from "~/billing/embedded/db/transaction.server"
import { createEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import type { TermPolicy } from "~/billing/services/term-policy"
import { DAY, HOUR } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { RENEWAL_TOKEN } from "~/domain/orders/screen-paths"
import type { PlanChange } from "~/domain/services/plan-change"
import { endOfTerm, newTerm, withDays } from "~/domain/services/term"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { pollOrderPayment } from "~/flows/payments/poll-gateway.server"
import { documentPolicy } from "../../../tests/fixtures/document-policy"
import { buyPlan, orderConnection, pay } from "../../../tests/fixtures/purchase"
import { germanTax } from "../../../tests/fixtures/tax-rules"
import { type Engine, engines, openTemporaryDatabase } from "../../../tests/fixtures/temporary-database"
import { termPolicy } from "../../../tests/fixtures/term-policy"
import { catalogue, openTestShop } from "../../../tests/fixtures/test-shop"
import { changePlan, chooseNextPlan, planChoices } from "./change-plan.server"
import { renewServices } from "./renew-services.server"
import { renewalLink, serviceOfRenewalLink } from "./renewal-link.server"

const euro = (minor: number) => money(minor, "EUR")

/** A month costs EUR 10.00, a month of Plus 20.00, a year 60.00; each with EUR 2.00, 3.00 or 20.00 for a connection. */
async function plans() {
  const [model, ...others] = (await catalogue()).products.filter(({ kind }) => kind === "plan")
  if (!model) throw new Error("no plan")
  const product = (
    id: string,
    name: string,
    pricing: Record<string, number>,
    extra: Record<string, number>,
  ) => ({
    ...model,
    id,
    name,
    pricing: { EUR: pricing },
    options: [
      { id: "2", name: "Extra connection", choices: [{ id: "5", name: "Yes", pricing: { EUR: extra } }] },
    ],
  })
  const products = [
    product("1", "Basic", { monthly: 1_000 }, { monthly: 200 }),
    product("2", "Plus", { monthly: 2_000 }, { monthly: 300 }),
    product("3", "12 months", { annually: 6_000 }, { annually: 2_000 }),
  ]
  return { products: [...products, ...others.slice(3)], promotions: [] }
}

/** Lets the process die at a statement: it and all after it are not run. */
function killer() {
  let left = Number.POSITIVE_INFINITY
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      left -= 1
      if (left < 0) throw new Error("killed")
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return {
    plugin,
    after: (statements: number) => {
      left = statements
    },
  }
}

type Taxing = Pick<DbContext, "tax" | "documents">

async function openShop(engine: Engine, terms: TermPolicy = termPolicy, taxing: Taxing = {}) {
  const database = await openTemporaryDatabase(engine)
  const kills = killer()
  const ctx: DbContext = { db: database.db.withPlugin(kills.plugin), newId: database.newId, terms, ...taxing }
  await importCatalogue(ctx, await plans())
  const shop = await openTestShop({ openBilling: async () => createEmbeddedBilling(ctx) })
  const services = { ...shop.services, shop: { ...shop.services.shop, terms } }
  return { ...shop, services, ctx, kills, close: database.close }
}

describe.each(engines)("changing the plan on %s", (engine) => {
  let shop: Awaited<ReturnType<typeof openShop>>
  let keys = 0
  afterEach(() => shop.close())

  /** A service of Basic that runs for a month. */
  async function bought(terms?: TermPolicy, taxing?: Taxing) {
    shop = await openShop(engine, terms, taxing)
    const choices = {
      kind: "plan" as const,
      plan: "1",
      extraConnection: false,
      proxyProtection: false,
      promoCode: null,
      email: "ana@example.test",
      gateway: "offshore" as const,
      coin: null,
    }
    const order = await buyPlan(shop, { choices, agreedTotal: 1_000 })
    return find(order.serviceId)
  }

  async function find(id: string) {
    const service = await shop.services.billing.service(id)
    if (!service) throw new Error(`No service ${id}`)
    return service
  }

  const changes = async (id: string) => {
    const { services } = shop
    return planChoices(services, services.billing, { service: await find(id), at: services.now() })
  }

  async function changeTo(id: string, productId: string): Promise<PlanChange> {
    const found = (await changes(id))?.changes.find((it) => it.productId === productId)
    if (!found) throw new Error(`No change to ${productId}`)
    return found
  }

  const buyer = {
    customer: null,
    orderId: null,
    gateway: "offshore" as const,
    locale: "en-en" as const,
    address: null,
    country: "XX" as const,
    browser: null,
  }

  async function request(id: string, productId: string) {
    const change = await changeTo(id, productId)
    if (change.when !== "now") throw new Error("not now")
    keys += 1
    const { cycle, price, due } = change
    const shown = { productId, cycle, price: price.minor, at: shop.services.now(), due: due.minor }
    return { ...buyer, key: `change-${keys}`, service: await find(id), shown }
  }

  async function order(id: string, productId: string): Promise<Order> {
    const placement = await changePlan(shop.services, await request(id, productId))
    if (placement.kind !== "placed") throw new Error(placement.reason)
    if (placement.order.total.minor > 0)
      await openPayment(shop.services, placement.order, { gateway: "offshore", coin: null })
    return placement.order
  }

  const credit = ({ customerId }: { customerId: string }) =>
    shop.services.payments.accountCredit(customerId, "EUR")
  const status = async ({ id }: Order) => (await shop.services.billing.order(id))?.status
  const settle = async () => {
    for (const queue of ["services", "terms"] as const) while ((await runJobs(shop.services, queue)) > 0);
  }

  async function renew(id: string, cycles = 1): Promise<Order> {
    keys += 1
    const renewed = [{ service: await find(id), cycles, shown: null }]
    const placement = await renewServices(shop.services, { ...buyer, renewed, key: `renew-${keys}` })
    if (placement.kind !== "placed") throw new Error(placement.reason)
    await openPayment(shop.services, placement.order, { gateway: "offshore", coin: null })
    return placement.order
  }

  /** Repeats work that dies at its first statement, then at its second one, until it is done. Returns how often it died. */
  async function killedAtEach(work: () => Promise<unknown>, isDone: () => Promise<boolean>): Promise<number> {
    for (let deaths = 0; ; deaths += 1) {
      shop.kills.after(deaths)
      await work().catch(() => undefined)
      shop.kills.after(Number.POSITIVE_INFINITY)
      if (await isDone()) return deaths
    }
  }

  test("to a dearer one costs the difference, keeps the end, and tells the panel", async () => {
    const before = await bought()
    shop.wait(10 * DAY)
    const change = await changeTo(before.id, "2")
    expect(change).toMatchObject({ kind: "same-end", credit: euro(666), until: before.paidUntil })
    const placed = await order(before.id, "2")
    expect(await find(before.id)).toEqual(before)
    await pay(shop, placed)
    await settle()
    const after = await find(before.id)
    expect(after).toMatchObject({ productId: "2", name: "Plus", paidUntil: before.paidUntil })
    expect(shop.panel.received.at(-1)).toMatchObject({ what: "plan", line: { productId: "2" } })
    expect(await status(placed)).toBe("active")
    expect((await shop.services.billing.renewalTerms(before.id))?.price).toEqual(euro(2_000))
    shop.wait((before.paidUntil ?? 0) - shop.services.now() - 10 * DAY)
    // Half of the time that was changed is left.
    expect(await shop.services.billing.planFacts(before.id, shop.services.now())).toMatchObject({
      unused: euro(667),
    })
  })

  test("to a longer cycle begins its term at the time at which the figures were shown", async () => {
    const before = await bought()
    shop.wait(10 * DAY)
    const from = shop.services.now()
    const placed = await order(before.id, "3")
    expect(placed.total).toEqual(euro(6_000 - 666))
    shop.wait(6 * HOUR)
    await pay(shop, placed)
    await settle()
    const paidUntil = endOfTerm(newTerm(from, termPolicy.timeZone, 1), "annually")
    expect(await find(before.id)).toMatchObject({ productId: "3", cycle: "annually", paidUntil })
    expect(shop.panel.received.map(({ what }) => what)).toContain("extend")
  })

  test("to a longer cycle takes back that the customer does not want to renew, which was about the former end", async () => {
    const { id } = await bought()
    const { billing, now } = shop.services
    await billing.declineRenewal(id, "price", now())
    await pay(shop, await order(id, "2"))
    expect((await find(id)).declinedAt).not.toBeNull()
    shop.wait(DAY)
    await pay(shop, await order(id, "3"))
    expect((await find(id)).declinedAt).toBeNull()
  })

  test("to a longer cycle keeps the days that were given before it was paid, and none of them twice", async () => {
    const before = await bought()
    const { operator } = shop.billing
    const give = (days: number) =>
      operator.extendService(before.id, { days, reason: "an outage", at: shop.services.now() })
    await give(2)
    shop.wait(DAY)
    const placed = await order(before.id, "3")
    const from = shop.services.now()
    shop.wait(HOUR)
    await give(5)
    await give(-1)
    await pay(shop, placed)
    await settle()
    const year = withDays(newTerm(from, termPolicy.timeZone, 1), 2 + 5 - 1)
    expect((await find(before.id)).paidUntil).toBe(endOfTerm(year, "annually"))
  })

  test("is converted into time of the new plan without a payment, if the operator wants that", async () => {
    const before = await bought({ ...termPolicy, planChange: "convert" })
    shop.wait(10 * DAY)
    const placed = await order(before.id, "2")
    expect(placed.total).toEqual(euro(0))
    await settle()
    const after = await find(before.id)
    expect(after.productId).toBe("2")
    expect(Math.round(((after.paidUntil ?? 0) - shop.services.now()) / DAY)).toBe(10)
  })

  test("takes the extra connections along, at the new plan's price", async () => {
    const before = await bought()
    await pay(shop, await orderConnection(shop, before.id))
    expect(await changeTo(before.id, "2")).toMatchObject({ price: euro(2_300), credit: euro(1_199) })
    await pay(shop, await order(before.id, "2"))
    await settle()
    expect(shop.panel.received.at(-1)).toMatchObject({
      what: "plan",
      line: { productId: "2", connections: 2 },
    })
  })

  test("happens at once only every 24 hours", async () => {
    const { id } = await bought()
    await pay(shop, await order(id, "2"))
    await settle()
    expect((await changes(id))?.wait).toMatchObject({ reason: "changed" })
    await expect(changePlan(shop.services, await request(id, "3"))).resolves.toMatchObject({
      kind: "rejected",
    })
    shop.wait(DAY)
    await expect(changePlan(shop.services, await request(id, "3"))).resolves.toMatchObject({ kind: "placed" })
  })

  test("is refused at figures that are too old or were never shown", async () => {
    const { id } = await bought()
    const asked = await request(id, "2")
    const { shown } = asked
    const wrong = { ...shown, due: shown.due - 1 }
    for (const it of [wrong, { ...shown, at: shown.at + 1 }, { ...shown, price: 1 }])
      expect(await changePlan(shop.services, { ...asked, shown: it })).toMatchObject({ kind: "rejected" })
    shop.wait(HOUR + 1)
    expect(await changePlan(shop.services, asked)).toMatchObject({ kind: "rejected" })
  })

  test("is one order, however often its form is sent", async () => {
    const { id } = await bought()
    const asked = await request(id, "2")
    const placed = await Promise.all([1, 2, 3].map(() => changePlan(shop.services, asked)))
    expect(new Set(placed.map((it) => it.kind === "placed" && it.order.id)).size).toBe(1)
  })

  test("is the order of its form that account credit has paid while the form is sent again", async () => {
    const { id, customerId } = await bought()
    const given = { key: "grant", amount: euro(50_00), reason: "test", at: shop.services.now() }
    await shop.billing.operator.grantAccountCredit(customerId, given)
    const asked = { ...(await request(id, "2")), customer: { id: customerId, reach: "account" } as const }
    const { billing } = shop.services
    const placed: unknown[] = []
    const planFacts: typeof billing.planFacts = async (...args) => {
      placed.push(await changePlan(shop.services, asked))
      return billing.planFacts(...args)
    }
    const again = await changePlan({ ...shop.services, billing: { ...billing, planFacts } }, asked)
    expect(again).toMatchObject({ kind: "placed", order: { status: "paid" } })
    expect(placed).toEqual([again])
  })

  test("of a service that was renewed since leaves it, and what was paid is account credit, once", async () => {
    const before = await bought()
    const placed = await order(before.id, "2")
    await pay(shop, await renew(before.id))
    const renewed = await find(before.id)
    await pay(shop, placed)
    await settle()
    expect(await find(before.id)).toEqual(renewed)
    expect(await credit(before)).toEqual(placed.total)
    expect(await status(placed)).toBe("active")
    expect(shop.panel.received.map(({ what }) => what)).not.toContain("plan")
  })

  test("has an invoice once it is paid, and none if what was paid is account credit", async () => {
    const tax = { rules: germanTax, timeZone: "UTC" }
    const before = await bought(undefined, { tax, documents: documentPolicy })
    const [late, applied] = [await order(before.id, "2"), await order(before.id, "2")]
    await pay(shop, applied)
    await pay(shop, late)
    await settle()
    expect(await credit(before)).toEqual(late.total)
    const documents = async ({ id }: Order) => (await shop.services.documents.taxDocumentsOf(id)).length
    expect([await documents(applied), await documents(late)]).toEqual([1, 0])
  })

  const meanwhile: Record<string, (id: string) => Promise<unknown>> = {
    "has got another connection": async (id) => pay(shop, await orderConnection(shop, id)),
    "was suspended by the operator": (id) =>
      shop.billing.operator.suspendService(id, { owner: "operator", reason: null, at: shop.services.now() }),
  }
  test.each(Object.entries(meanwhile))(
    "of a service that %s since leaves its plan, and what was paid is account credit",
    async (_, happens) => {
      const before = await bought()
      const placed = await order(before.id, "2")
      await happens(before.id)
      await pay(shop, placed)
      await settle()
      expect(await find(before.id)).toMatchObject({ productId: "1", paidUntil: before.paidUntil })
      expect(await credit(before)).toEqual(placed.total)
    },
  )

  describe("that is paid late", () => {
    /** Asserts that a payment changes nothing and becomes account credit. */
    async function isCredited(placed: Order, { id }: { id: string }) {
      const before = await find(id)
      const had = (await credit(before)).minor
      await pay(shop, placed)
      await settle()
      expect(await find(id)).toEqual(before)
      expect((await credit(before)).minor - had).toBe(placed.total.minor)
      expect(await status(placed)).toBe("active")
    }

    test("of a service that has that plan since leaves it, and what was paid is account credit", async () => {
      const before = await bought()
      const placed = await order(before.id, "2")
      await pay(shop, await order(before.id, "2"))
      await settle()
      shop.wait(DAY)
      await isCredited(placed, before)
    })

    test("of a service that left its plan since and got it back less than 24 hours ago is account credit", async () => {
      const before = await bought()
      const placed = await order(before.id, "2")
      await pay(shop, await order(before.id, "2"))
      await settle()
      shop.wait(DAY)
      // Basic has become the dearer one, so that it is an upgrade.
      const { products, promotions } = await plans()
      const dearer = products.map((it) =>
        it.id === "1" ? { ...it, pricing: { EUR: { monthly: 3_000 } } } : it,
      )
      await importCatalogue(shop.ctx, { products: dearer, promotions })
      await pay(shop, await order(before.id, "1"))
      await settle()
      expect(await find(before.id)).toMatchObject({ productId: "1", paidUntil: before.paidUntil })
      await isCredited(placed, before)
    })

    test("after the end that was shown is account credit, though the service got more days since", async () => {
      const before = await bought()
      shop.wait((before.paidUntil ?? 0) - shop.services.now() - 12 * HOUR)
      const placed = await order(before.id, "2")
      await shop.billing.operator.extendService(before.id, {
        days: 7,
        reason: "outage",
        at: shop.services.now(),
      })
      shop.wait(13 * HOUR)
      await isCredited(placed, before)
    })
  })

  test("to one of the same price places a new renewal, and does not continue that of the former plan", async () => {
    const before = await bought()
    const { products, promotions } = await plans()
    const [basic, plus, ...others] = products
    if (!basic || !plus) throw new Error("no plan")
    const equal = { ...plus, pricing: basic.pricing, options: basic.options }
    await importCatalogue(shop.ctx, { products: [basic, equal, ...others], promotions })
    const former = await renew(before.id)
    const changed = await order(before.id, "2")
    expect(changed.total).toEqual(euro(0))
    await settle()
    const renewal = await renew(before.id)
    expect([renewal.total, renewal.id === former.id]).toEqual([former.total, false])
    await pay(shop, renewal)
    expect((await find(before.id)).paidUntil).toBeGreaterThan(before.paidUntil ?? 0)
  })

  test("leaves a cheaper renewal of the former plan, which becomes account credit", async () => {
    const before = await bought()
    const cheap = await renew(before.id, 3)
    await pay(shop, await order(before.id, "2"))
    await settle()
    const changed = await find(before.id)
    await pay(shop, cheap)
    expect(await find(before.id)).toEqual(changed)
    expect(await credit(before)).toEqual(cheap.total)
  })

  test("a refund of the first term takes its value from the next change", async () => {
    const before = await bought()
    const first = await shop.services.billing.order(before.orderId)
    await shop.ctx.db
      .updateTable("invoices")
      .set({ received: 0 })
      .where("order_id", "=", first?.id ?? "")
      .execute()
    expect(await changeTo(before.id, "2")).toMatchObject({ credit: euro(0), due: euro(2_000) })
  })

  test("a panel that is down leaves the old plan there and the money in the order, and is told later", async () => {
    const before = await bought()
    const placed = await order(before.id, "2")
    shop.panel.broken = true
    await pay(shop, placed)
    expect(await status(placed)).toBe("paid")
    expect(shop.panel.received.map(({ what }) => what)).not.toContain("plan")
    shop.panel.broken = false
    shop.wait(DAY)
    await settle()
    expect(shop.panel.received.at(-1)).toMatchObject({ what: "plan", line: { productId: "2" } })
    expect(await status(placed)).toBe("active")
    expect(await credit(before)).toEqual(euro(0))
  })

  test("a change that the panel has not made yet is on the operator's page of the service, and no paid order without a job", async () => {
    const { id } = await bought()
    const placed = await order(id, "2")
    shop.panel.broken = true
    await pay(shop, placed)
    const { operator } = shop.billing
    const jobs = async () => (await operator.serviceDetails(id))?.jobs ?? []
    expect(await jobs()).toMatchObject([{ topic: "plan", state: "waiting", tries: 1 }])
    const paidOrders = async () =>
      (await operator.diagnoseJobs()).find(({ check }) => check === "paid orders")
    expect(await paidOrders()).toMatchObject({ ok: true })
    for (const job of await shop.services.outbox.claim(shop.services.now() + DAY, HOUR, 9))
      await shop.services.outbox.reschedule(job, { at: shop.services.now(), due: null, reason: "given up" })
    const [parked] = await jobs()
    expect(parked).toMatchObject({ topic: "plan", state: "parked" })
    await operator.discardJob(parked?.id ?? "")
    expect(await paidOrders()).toMatchObject({ ok: false })
  })

  describe("a renewal that was ordered before a connection was bought", () => {
    const events = async ({ id }: Order) => (await shop.services.billing.timeline(id)).map(({ kind }) => kind)

    test("is withdrawn, and ordered again at the price with it", async () => {
      const { id } = await bought()
      const renewal = await renew(id)
      await pay(shop, await orderConnection(shop, id))
      await settle()
      expect(await status(renewal)).toBe("cancelled")
      expect((await renew(id)).total).toEqual(euro(1_200))
    })

    test("adds no term if it is paid all the same: what was paid is account credit", async () => {
      const before = await bought()
      const renewal = await renew(before.id)
      // The withdrawal has not run yet.
      shop.panel.broken = true
      await pay(shop, await orderConnection(shop, before.id))
      await shop.ctx.db.updateTable("orders").set({ status: "placed" }).where("id", "=", renewal.id).execute()
      await openPayment(shop.services, renewal, { gateway: "offshore", coin: null })
      await pay(shop, renewal)
      expect((await find(before.id)).paidUntil).toBe(before.paidUntil)
      expect(await credit(before)).toEqual(euro(1_000))
      expect(await status(renewal)).toBe("active")
      expect(await events(renewal)).not.toContain("renewed")
    })

    test("adds its term if its payment was seen before", async () => {
      const before = await bought()
      const renewal = await renew(before.id)
      shop.gateway.reports("processing", 0)
      shop.wait(10_000)
      await pollOrderPayment(shop.services, renewal.id)
      expect(await events(renewal)).toContain("seen")
      shop.wait(10_000)
      await pay(shop, await orderConnection(shop, before.id))
      await settle()
      await pay(shop, renewal)
      expect((await find(before.id)).paidUntil).toBeGreaterThan(before.paidUntil ?? 0)
      expect(await credit(before)).toEqual(euro(0))
    })
  })

  describe("to a cheaper one", () => {
    /** A service of Plus with Basic to follow. */
    async function downgraded() {
      const { id } = await bought()
      await pay(shop, await order(id, "2"))
      await settle()
      const { price, cycle } = await changeTo(id, "1")
      const chosen = await chooseNextPlan(shop.services, await find(id), {
        productId: "1",
        cycle,
        price: price.minor,
      })
      expect(chosen).toBe(true)
      return find(id)
    }

    test("waits for the end, then the panel is told", async () => {
      const before = await downgraded()
      expect(before.productId).toBe("2")
      expect(await shop.services.billing.nextPlan(before.id)).toMatchObject({
        productId: "1",
        startsAt: null,
      })
      shop.wait((before.paidUntil ?? 0) - shop.services.now())
      await settle()
      expect(await find(before.id)).toMatchObject({ productId: "1", paidUntil: before.paidUntil })
      expect(shop.panel.received.at(-1)).toMatchObject({ what: "plan", line: { productId: "1" } })
      await pay(shop, await renew(before.id))
      const end = endOfTerm(newTerm(before.paidUntil ?? 0, termPolicy.timeZone, 1), "monthly")
      expect(await find(before.id)).toMatchObject({ productId: "1", paidUntil: end })
    })

    test("takes back that the customer does not want to renew", async () => {
      const { id } = await bought()
      const { billing, now } = shop.services
      await pay(shop, await order(id, "2"))
      await billing.declineRenewal(id, "price", now())
      const { price, cycle } = await changeTo(id, "1")
      await chooseNextPlan(shop.services, await find(id), { productId: "1", cycle, price: price.minor })
      expect((await find(id)).declinedAt).toBeNull()
    })

    test("does not begin while the clock was just moved ahead, but on its day", async () => {
      const { id, paidUntil } = await downgraded()
      Object.assign(shop.services, { isClockReliable: () => false })
      shop.wait(365 * DAY)
      await settle()
      expect((await find(id)).productId).toBe("2")
      Object.assign(shop.services, { isClockReliable: () => true })
      shop.wait(-365 * DAY)
      await settle()
      expect((await find(id)).productId).toBe("2")
      shop.wait((paidUntil ?? 0) - shop.services.now())
      await settle()
      expect((await find(id)).productId).toBe("1")
    })

    test("leaves the renewal link of a reminder as it was until the plan is renewed", async () => {
      const { id, paidUntil } = await downgraded()
      const link = new URL((await renewalLink(shop.services, id)) ?? "", "https://shop.test")
      const token = link.searchParams.get(RENEWAL_TOKEN) ?? ""
      shop.wait((paidUntil ?? 0) - shop.services.now())
      await settle()
      expect(await serviceOfRenewalLink(shop.services, token)).toMatchObject({ id, productId: "1" })
      await pay(shop, await renew(id))
      expect(await serviceOfRenewalLink(shop.services, token)).toBeNull()
    })

    test("is replaced and taken back", async () => {
      const before = await downgraded()
      const { services } = shop
      const plus = { productId: "1", name: "Basic", cycle: "monthly", price: euro(999) } as const
      expect(await services.billing.chooseNextPlan(before.id, plus, services.now())).toBe(true)
      expect(await services.billing.nextPlan(before.id)).toMatchObject({ price: euro(999) })
      expect(await services.billing.keepPlan(before.id, services.now())).toBe(true)
      expect(await services.billing.keepPlan(before.id, services.now())).toBe(false)
      shop.wait((before.paidUntil ?? 0) - services.now())
      await settle()
      expect(await find(before.id)).toMatchObject({ productId: "2" })
    })

    test("is renewed ahead at its price, and the dearer plan stays until the end that was paid", async () => {
      const before = await downgraded()
      const renewal = await renew(before.id, 3)
      expect(renewal.total).toEqual(euro(3_000))
      await pay(shop, renewal)
      const end = endOfTerm(newTerm(before.paidUntil ?? 0, termPolicy.timeZone, 3), "monthly")
      expect(await find(before.id)).toMatchObject({ productId: "2", paidUntil: end })
      expect(await shop.services.billing.keepPlan(before.id, shop.services.now())).toBe(false)
      expect((await changes(before.id))?.changes).toEqual([])
      shop.wait((before.paidUntil ?? 0) - shop.services.now())
      await settle()
      expect(await find(before.id)).toMatchObject({ productId: "1", paidUntil: end })
    })

    test("that is taken back before its renewal is paid leaves the plan, and the payment is account credit", async () => {
      const before = await downgraded()
      const renewal = await renew(before.id)
      await shop.services.billing.keepPlan(before.id, shop.services.now())
      await pay(shop, renewal)
      expect(await find(before.id)).toEqual(before)
      expect(await credit(before)).toEqual(euro(1_000))
    })

    test("costs more with connections that are bought meanwhile", async () => {
      const before = await downgraded()
      await pay(shop, await orderConnection(shop, before.id))
      expect(await shop.services.billing.nextPlan(before.id)).toMatchObject({ price: euro(1_200) })
    })
  })

  test("a process that dies at any statement of order, payment or job changes nothing, and the next one all, once", async () => {
    const before = await bought()
    shop.wait(10 * DAY)
    const asked = await request(before.id, "2")
    await killedAtEach(
      () => changePlan(shop.services, asked),
      async () => (await shop.services.billing.orderByIdempotencyKey(asked.key)) !== null,
    )
    const placement = await changePlan(shop.services, asked)
    if (placement.kind !== "placed") throw new Error(placement.reason)
    const placed = placement.order
    expect(placed.total).toEqual(euro(668))
    await openPayment(shop.services, placed, { gateway: "offshore", coin: null })
    shop.gateway.reports("paid", placed.total.minor)
    const deaths = await killedAtEach(
      () => pollOrderPayment(shop.services, placed.id),
      async () => {
        shop.wait(10_000)
        const isPaid = (await status(placed)) === "paid"
        expect((await find(before.id)).productId).toBe(isPaid ? "2" : "1")
        return isPaid
      },
    )
    expect(deaths).toBeGreaterThan(10)
    await killedAtEach(
      () => runJobs(shop.services),
      async () => {
        shop.wait(HOUR)
        return (await status(placed)) === "active"
      },
    )
    expect(await find(before.id)).toMatchObject({ productId: "2", paidUntil: before.paidUntil })
    const events = await shop.ctx.db
      .selectFrom("service_events")
      .select("kind")
      .where("service_id", "=", before.id)
      .where("kind", "=", "plan-changed")
      .execute()
    expect(events).toHaveLength(1)
    expect(await credit(before)).toEqual(euro(0))
  })
})
