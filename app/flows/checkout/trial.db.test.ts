import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { importCatalogue } from "~/billing/embedded/catalogue/catalogue.server"
import type { DbContext } from "~/billing/embedded/db/transaction.server"
import { createEmbeddedBilling } from "~/billing/embedded/open-embedded-billing.server"
import type { NewPlanChange } from "~/billing/services/plan-changes"
import { DAY, HOUR, MINUTE, SECOND } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { type PlanChange, planChangeQuote } from "~/domain/services/plan-change"
import { endOfTerm, newTerm } from "~/domain/services/term"
import { changeCustomer } from "~/flows/admin/customers/change-customer.server"
import { confirmEmailChange } from "~/flows/customers/confirm-email-change.server"
import { correctOrderEmail } from "~/flows/customers/correct-email.server"
import { dunningPass } from "~/flows/jobs/dunning.server"
import { sweep } from "~/flows/jobs/reconcile.server"
import { runJobs } from "~/flows/jobs/run-jobs.server"
import { openPayment } from "~/flows/payments/open-payment.server"
import { changePlan, chooseNextPlan, planChoices } from "~/flows/services/change-plan.server"
import { renewServices } from "~/flows/services/renew-services.server"
import { emailChangeCode } from "~/security/email-change-codes.server"
import { mailboxMark } from "~/security/trial-marks.server"
import { usualMail } from "../../../tests/fixtures/mailing-database"
import { buy, pay } from "../../../tests/fixtures/purchase"
import { type Engine, engines, openTemporaryDatabase } from "../../../tests/fixtures/temporary-database"
import { termPolicy } from "../../../tests/fixtures/term-policy"
import { catalogue, NOON, openTestShop, pricing } from "../../../tests/fixtures/test-shop"
import { releaseOrder } from "./held-order.server"
import { newServiceOrder } from "./new-order.server"
import { startTrial, type TrialRequest, trialPlans } from "./start-trial.server"

const HOURS = 24
/** Price of a month. */
const PRICE = 12_00

async function openShop(engine: Engine) {
  const database = await openTemporaryDatabase(engine)
  const ctx: DbContext = { db: database.db, newId: database.newId, terms: termPolicy, mail: usualMail }
  const { products, promotions } = await catalogue()
  await importCatalogue(ctx, {
    products: products.map((it) =>
      it.kind === "plan" && it.id === "1"
        ? { ...it, pricing: { EUR: { monthly: PRICE } }, trialHours: HOURS }
        : it,
    ),
    promotions,
  })
  const shop = await openTestShop({ openBilling: async () => createEmbeddedBilling(ctx) })
  return { ...shop, ctx, close: database.close }
}

describe.each(engines)("a free trial on %s", (engine) => {
  let shop: Awaited<ReturnType<typeof openShop>>
  beforeEach(async () => {
    shop = await openShop(engine)
  })
  afterEach(() => shop.close())

  let keys = 0
  const person = (name: string, changes: Partial<TrialRequest> = {}): TrialRequest => {
    keys += 1
    return {
      planId: "1",
      email: `${name}@example.test`,
      key: `trial ${keys}`,
      customer: null,
      pricing,
      locale: "en-en",
      address: `5.9.1.${keys}`,
      browser: `browser of ${name}`,
      affiliateId: null,
      ...changes,
    }
  }

  async function started(request: TrialRequest): Promise<Order> {
    const start = await startTrial(shop.services, request)
    if (start.kind !== "started") throw new Error(start.reason)
    await runJobs(shop.services)
    return start.order
  }

  async function find({ serviceId }: Pick<Order, "serviceId">) {
    const service = await shop.services.billing.service(serviceId)
    if (!service) throw new Error(`No service ${serviceId}`)
    return service
  }

  async function renewal(order: Order, cycles = 1) {
    keys += 1
    const placement = await renewServices(shop.services, {
      renewed: [{ service: await find(order), cycles, shown: null }],
      customer: null,
      orderId: order.id,
      key: `renewal ${keys}`,
      gateway: "offshore",
      locale: "en-en",
      address: null,
      country: "XX",
      browser: null,
    })
    if (placement.kind !== "placed") throw new Error(placement.reason)
    await openPayment(shop.services, placement.order, { gateway: "offshore", coin: null })
    return placement.order
  }

  /** One pass of an instance, whose clock runs with the shop's. */
  function passes() {
    const pass = dunningPass(shop.services, {
      holder: "i1",
      steadyNow: () => shop.services.now(),
      renewFromBalance: async () => {},
    })
    return async (time: number) => {
      shop.wait(time)
      await shop.services.dunning?.observe(shop.services.now())
      await pass()
      await runJobs(shop.services)
    }
  }

  const mails = async () =>
    (await shop.ctx.db.selectFrom("mails").select(["name", "detail"]).orderBy("created_at").execute())
      .filter(({ detail }) => detail !== null)
      .map(({ name }) => name)

  const claims = () => shop.ctx.db.selectFrom("trial_claims").selectAll().execute()

  test("gives the login details at once, without a payment, and ends after its hours", async () => {
    const order = await started(person("ana"))
    expect(order).toMatchObject({ kind: "plan", status: "paid", trialHours: HOURS, total: { minor: 0 } })
    expect(await shop.services.payments.latestAttempt(order.id)).toBeNull()
    expect(await find(order)).toMatchObject({
      status: "Active",
      connections: 1,
      paidUntil: NOON + HOURS * HOUR,
      term: { trialHours: HOURS, count: 0 },
    })
    expect((await shop.services.billing.timeline(order.id)).map(({ kind }) => kind)).toEqual([
      "placed",
      "paid",
      "provisioned",
    ])
  })

  test("is no purchase in the counted steps", async () => {
    await started(person("ana"))
    await shop.services.stepCounter.flush()
    expect(await shop.services.steps.steps("2026-11-20", "2026-11-20")).toEqual([])
  })

  test("is no paid order of its affiliate, and what it becomes is one", async () => {
    const order = await started(person("ana", { affiliateId: "7" }))
    const span = { from: 0, until: NOON + 30 * DAY, firstDay: "2026-01-01", lastDay: "2027-12-31" }
    const { listAffiliates, affiliates } = shop.billing.operator
    expect(await listAffiliates({ span, limit: 5 })).toMatchObject([
      { id: "7", orders: 1, paid: 0, amounts: [] },
    ])
    expect(await affiliates()).toMatchObject([{ id: "7", orders: 1, paid: 0 }])
    await pay(shop, await renewal(order))
    await pay(shop, await renewal(order))
    const amounts = [money(PRICE, "EUR")]
    expect(await listAffiliates({ span, limit: 5 })).toMatchObject([{ id: "7", orders: 2, paid: 1, amounts }])
    expect(await affiliates()).toMatchObject([{ id: "7", orders: 2, paid: 1 }])
  })

  test("begins with an activation that comes long after the order, with all its hours", async () => {
    const start = await startTrial(shop.services, person("ana"))
    if (start.kind !== "started") throw new Error(start.reason)
    shop.wait(5 * HOUR)
    await runJobs(shop.services)
    expect((await find(start.order)).paidUntil).toBe(NOON + (5 + HOURS) * HOUR)
  })

  test("is offered only of plans that have one", async () => {
    const { services } = shop
    expect((await trialPlans(services, services.billing, "EUR")).map(({ id }) => id)).toEqual(["1"])
    expect(await startTrial(services, person("ana", { planId: "3" }))).toEqual({
      kind: "refused",
      reason: "gone",
    })
    expect(await trialPlans({ ...services, trials: null }, services.billing, "EUR")).toEqual([])
  })

  test("is one order for the same form sent again", async () => {
    const request = person("ana")
    const [one, two] = [await started(request), await started(request)]
    expect(two.id).toBe(one.id)
  })

  test.each<[string, Partial<TrialRequest>, string]>([
    ["the same email", { email: "ana@example.test" }, "notAgain"],
    ["the same mailbox under another spelling", { email: "Ana+2@Example.test" }, "notAgain"],
    ["the same browser", { browser: "browser of ana" }, "had"],
    ["the same network", { address: "9.9.9.9" }, "notAgain"],
  ])("is refused to %s, and leaves no order", async (_, changes, reason) => {
    await started(person("ana", { address: "9.9.9.9" }))
    const before = await claims()
    expect(await startTrial(shop.services, person("ben", changes))).toEqual({ kind: "refused", reason })
    expect(await claims()).toEqual(before)
    const orders = await shop.ctx.db.selectFrom("orders").select("id").execute()
    expect(orders).toHaveLength(1)
  })

  test("of two at once by the same person is one", async () => {
    const starts = await Promise.all(
      ["browser 1", "browser 2", "browser 3"].map((browser) =>
        startTrial(shop.services, person("ana", { browser })),
      ),
    )
    expect(starts.filter(({ kind }) => kind === "started")).toHaveLength(1)
    expect(await shop.ctx.db.selectFrom("services").select("id").execute()).toHaveLength(1)
  })

  test("stores no email, browser or address of its marks, and forgets the network first", async () => {
    await started(person("ana", { address: "9.9.9.9" }))
    const stored = JSON.stringify(await claims())
    for (const secret of ["ana", "9.9.9.9", "browser"]) expect(stored).not.toContain(secret)
    shop.wait(31 * DAY)
    await sweep(shop.services, "this instance")
    expect((await claims()).map(({ mark }) => mark).sort()).toEqual(["device", "email"])
    shop.wait(700 * DAY)
    await sweep(shop.services, "this instance")
    expect(await claims()).toEqual([])
  })

  test("is no second one after its customer was erased, and its marks name no order any more", async () => {
    await started(person("ana"))
    const { operator } = shop.billing
    await operator.eraseCustomer(await operator.customersOf("ana@example.test"), { force: true })
    expect((await claims()).map(({ order_id }) => order_id)).toEqual([null, null, null])
    expect(await startTrial(shop.services, person("ana", { browser: null }))).toMatchObject({
      kind: "refused",
    })
  })

  test("paid before its end goes on with the same login details, and loses no hour", async () => {
    const order = await started(person("ana"))
    const before = await find(order)
    shop.wait(3 * HOUR)
    const paid = await renewal(order)
    expect(paid.total.minor).toBe(PRICE)
    await pay(shop, paid)
    const after = await find(order)
    const { username, password, host } = before
    expect(after).toMatchObject({ username, password, host, status: "Active" })
    expect(after.term?.trialHours).toBeUndefined()
    const trialEnd = NOON + HOURS * HOUR
    expect(after.paidUntil).toBe(endOfTerm(newTerm(trialEnd, termPolicy.timeZone, 1), "monthly"))
  })

  test("paid after its end begins with the payment, even within the days of grace of a paid term", async () => {
    const order = await started(person("ana"))
    const run = passes()
    await run(HOURS * HOUR + MINUTE)
    expect((await find(order)).status).toBe("Suspended")
    shop.wait(DAY)
    const paid = await renewal(order, 3)
    expect(paid.total.minor).toBe(3 * PRICE)
    await pay(shop, paid)
    const at = shop.services.now()
    const after = await find(order)
    expect(after.status).toBe("Active")
    expect(after.term).toEqual(newTerm(at, termPolicy.timeZone, 3))
  })

  test("reminds once, at four fifths of its time, and is suspended at its end", async () => {
    const order = await started(person("ana"))
    const run = passes()
    await run(19 * HOUR)
    expect(await mails()).toEqual([])
    await run(15 * MINUTE)
    expect(await mails()).toEqual(["renewal-reminder"])
    await run(HOUR)
    expect((await find(order)).status).toBe("Active")
    await run(4 * HOUR)
    expect((await find(order)).status).toBe("Suspended")
    expect(await mails()).toEqual(["renewal-reminder", "service-suspended"])
  })

  test("that nobody has paid is terminated after the days of every other service, and stays the one trial", async () => {
    const request = person("ana")
    const order = await started(request)
    const run = passes()
    await run(HOURS * HOUR + MINUTE)
    // Nobody is terminated without a notice that was sent.
    const daily = async () => {
      const { outbox, mails } = shop.billing
      const at = shop.services.now()
      for (const job of await outbox.claim(at, MINUTE, 9, "mail"))
        if (await mails.begin(job, at)) await mails.settle(job, { state: "sent", reason: "ok", at })
      await run(DAY)
      await runJobs(shop.services, "terms")
    }
    for (let day = 1; day < termPolicy.terminateAfterDays; day += 1) await daily()
    expect((await find(order)).status).toBe("Suspended")
    await daily()
    expect((await find(order)).status).toBe("Terminated")
    expect(shop.panel.received.map(({ what }) => what)).toEqual(["create", "suspend", "terminate"])
    expect(await startTrial(shop.services, { ...request, key: "again" })).toMatchObject({ kind: "refused" })
    const { username, password } = await find(order)
    await pay(shop, await renewal(order))
    expect(await find(order)).toMatchObject({
      username,
      password,
      status: "Active",
      term: newTerm(shop.services.now(), termPolicy.timeZone, 1),
    })
  })

  test("is not reminded after it was paid", async () => {
    const order = await started(person("ana"))
    await pay(shop, await renewal(order))
    const run = passes()
    await run(20 * HOUR)
    await run(5 * HOUR)
    expect(await mails()).toEqual([])
    expect((await find(order)).status).toBe("Active")
  })

  test("whose reminder was missed is suspended without one", async () => {
    const order = await started(person("ana"))
    const run = passes()
    await run(HOURS * HOUR + SECOND)
    expect((await find(order)).status).toBe("Suspended")
    expect(await mails()).toEqual(["service-suspended"])
  })

  test("cannot be changed to another plan, nor have more connections, before it is paid", async () => {
    const order = await started(person("ana"))
    const { services } = shop
    expect(
      await planChoices(services, services.billing, { service: await find(order), at: services.now() }),
    ).toBeNull()
    expect(await services.billing.planFacts(order.serviceId, services.now())).toBeNull()
    await pay(shop, await renewal(order))
    const facts = await services.billing.planFacts(order.serviceId, services.now())
    // Never more than was paid, although the trial still runs.
    expect(facts?.unused.minor).toBe(PRICE)
  })

  describe("paid before its end", () => {
    /** A plan that was tried and then paid for a month. Others to change to cost twice as much, and half. */
    async function paidAhead() {
      const plans = await shop.services.billing.plans()
      const tried = plans.find(({ id }) => id === "1")
      if (!tried) throw new Error("no plan")
      const priced = (id: string, monthly: number) => ({
        ...tried,
        id,
        name: id,
        pricing: { EUR: { monthly } },
      })
      const products = [tried, priced("plus", 2 * PRICE), priced("mini", PRICE / 2)]
      await importCatalogue(shop.ctx, { products, promotions: [] })
      const order = await started(person("ana"))
      await pay(shop, await renewal(order))
      return order
    }

    async function choicesOf(order: Order) {
      const { services } = shop
      const choices = await planChoices(services, services.billing, {
        service: await find(order),
        at: services.now(),
      })
      const change = choices?.changes.find(({ productId }) => productId === "plus")
      if (!choices || !change) throw new Error("no change")
      return { wait: choices.wait, change }
    }

    async function changed(order: Order, change: PlanChange) {
      if (change.when !== "now") throw new Error("not now")
      keys += 1
      const { productId, cycle, price, due } = change
      return changePlan(shop.services, {
        customer: null,
        orderId: order.id,
        key: `change ${keys}`,
        gateway: "offshore",
        locale: "en-en",
        address: null,
        country: "XX",
        browser: null,
        service: await find(order),
        shown: { productId, cycle, price: price.minor, at: shop.services.now(), due: due.minor },
      })
    }

    test("is changed to another plan only after it, at the price of the paid term alone", async () => {
      const order = await paidAhead()
      const { wait, change } = await choicesOf(order)
      expect(wait).toEqual({ reason: "trial", until: NOON + HOURS * HOUR })
      expect(change).toMatchObject({ when: "now", credit: { minor: PRICE }, due: { minor: PRICE } })
      expect(await changed(order, change)).toMatchObject({ kind: "rejected" })
      shop.wait(NOON + HOURS * HOUR - shop.services.now())
      const after = await choicesOf(order)
      expect(after.wait).toBeNull()
      expect(after.change).toMatchObject({ credit: { minor: PRICE }, due: { minor: PRICE } })
      expect(await changed(order, after.change)).toMatchObject({ kind: "placed" })
    })

    test("is not changed before its end by an order with the figures of its end either", async () => {
      const order = await paidAhead()
      const { change } = await choicesOf(order)
      if (change.when !== "now") throw new Error("not now")
      const { customerId } = await find(order)
      const { productId, name, cycle, price, kind, credit, term, until } = change
      const placing = shop.services.billing.placePlanChange(
        newServiceOrder<NewPlanChange>(shop.services, {
          key: "too early",
          gateway: "offshore",
          locale: "en-en",
          customerId,
          serviceId: order.serviceId,
          accessScope: { reach: "account" },
          accountCreditScope: "account",
          holdReason: null,
          browser: null,
          address: null,
          quote: planChangeQuote(change, { name: "Basic" }),
          target: { productId, name, cycle, price },
          kind,
          credit,
          from: shop.services.now(),
          term,
          until,
        }),
      )
      await expect(placing).rejects.toThrow("not changeable")
    })

    test("has a cheaper plan to follow the paid term", async () => {
      const order = await paidAhead()
      const { services } = shop
      const price = PRICE / 2
      const service = await find(order)
      const chosen = { productId: "mini", cycle: "monthly" as const, price }
      expect(await chooseNextPlan(services, service, chosen)).toBe(true)
      expect(await services.billing.nextPlan(service.id)).toMatchObject({ productId: "mini", startsAt: null })
    })
  })

  describe("was had by the mailbox", () => {
    /** Starts one from another browser and network. */
    const again = (email: string) => startTrial(shop.services, person("ben", { email, browser: null }))
    const refused = { kind: "refused", reason: "notAgain" }
    const right = "anna@example.test"

    test("that its order was corrected to, and by the former one", async () => {
      const order = await started(person("ana"))
      const who = { address: null, visitor: "browser", authenticated: false }
      expect(await correctOrderEmail(shop.services, { orderId: order.id, email: right, who })).toEqual({
        kind: "corrected",
      })
      expect(await again(right)).toEqual(refused)
      expect(await again("ana@example.test")).toEqual(refused)
    })

    test("that an order is corrected to although it has had one of its own: the answer does not tell", async () => {
      await started(person("anna"))
      const order = await started(person("ana"))
      const who = { address: null, visitor: "browser", authenticated: false }
      expect(await correctOrderEmail(shop.services, { orderId: order.id, email: right, who })).toEqual({
        kind: "corrected",
      })
      expect(await claims()).toHaveLength(6)
    })

    test("but not by the one that another order of its customer is corrected to", async () => {
      await started(person("ana"))
      const { order } = await buy(shop)
      const who = { address: null, visitor: "browser", authenticated: false }
      await correctOrderEmail(shop.services, { orderId: order.id, email: right, who })
      expect(await again(right)).toMatchObject({ kind: "started" })
    })

    test("that its customer has changed to by a code", async () => {
      const { customerId } = await find(await started(person("ana")))
      const { services } = shop
      const { emailChanges, signer } = services
      await emailChanges?.create({ id: "c1", customerId, email: right, locale: "en-en", at: services.now() })
      const customer = { id: customerId, email: "ana@example.test", reach: "account" as const }
      const proof = { how: "link" as const, at: services.now() }
      const who = { address: null, visitor: "browser", authenticated: true }
      const code = emailChangeCode(signer, "c1")
      expect(await confirmEmailChange(services, { customer, proof, code, who })).toMatchObject({
        kind: "changed",
      })
      expect(await again("ANNA+tv@example.test")).toEqual(refused)
    })

    test("that the operator has given its customer", async () => {
      const { customerId } = await find(await started(person("ana")))
      const customer = await shop.billing.operator.customer(customerId)
      if (!customer) throw new Error("no customer")
      const services = {
        ...shop.services,
        admin: shop.billing.operator,
        hasExternalBilling: false,
        sendsMail: true,
      }
      const change = { action: "correct-email", email: right, reason: "asked", key: "k" } as const
      expect(await changeCustomer(services, customer, change)).toBeNull()
      expect(await again(right)).toEqual(refused)
    })

    test("until the operator forgives it, with its browser and network", async () => {
      const { signer, trials } = shop.services
      const mailbox = mailboxMark(signer, "ana@example.test")
      expect(await trials?.forgiveTrial(mailbox)).toBe(false)
      const request = person("ana", { address: "9.9.9.9" })
      await started(request)
      expect(await trials?.forgiveTrial(mailbox)).toBe(true)
      expect(await claims()).toEqual([])
      expect(await startTrial(shop.services, { ...request, key: "again" })).toMatchObject({ kind: "started" })
    })
  })

  test("does not keep a person from buying", async () => {
    await started(person("ana"))
    expect((await buy(shop)).order.status).toBe("placed")
  })

  test("on hold stays free when the operator releases it", async () => {
    const address = "203.0.113.9"
    await shop.billing.operator.block({ kind: "address", value: address, reason: null, at: 0 })
    const start = await startTrial(shop.services, person("ana", { address }))
    if (start.kind !== "started") throw new Error(start.reason)
    expect(start.order.status).toBe("fraud")
    shop.wait(5 * HOUR)
    expect(await releaseOrder(shop.services, start.order.id, "operator")).toMatchObject({ kind: "released" })
    await runJobs(shop.services)
    const end = shop.services.now() + HOURS * HOUR
    expect(await find(start.order)).toMatchObject({ status: "Active", paidUntil: end })
  })
})
