import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { NewRenewal } from "~/billing/services/renewals"
import { DAY, HOUR } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import { renewalLine, renewalQuote } from "~/domain/services/renewal"
import { endOfTerm, newTerm } from "~/domain/services/term"
import {
  active,
  NOON,
  opened,
  paymentUpdate,
  placed,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { type BillingWithTerms, openBillingWithTerms } from "../../../../tests/fixtures/billing-with-terms"
import { engines } from "../../../../tests/fixtures/temporary-database"
import { termPolicy } from "../../../../tests/fixtures/term-policy"

const ZONE = "Europe/Madrid"
const END = endOfTerm(newTerm(NOON, ZONE, 1), "monthly")
const NEXT = endOfTerm(newTerm(NOON, ZONE, 2), "monthly")
const price = money(20_00, "EUR")

describe.each(engines)("on %s a renewal from account credit", (engine) => {
  let shop: BillingWithTerms
  beforeAll(async () => {
    shop = await openBillingWithTerms(engine)
  })
  afterAll(() => shop.close())

  /** A service that is paid until `END`, whose customer has account credit. */
  async function serviceWithCredit(credit: number) {
    const { serviceId: id, customerId } = await active(shop)
    const term = {
      cycle: "monthly",
      term_anchor: NOON,
      term_zone: ZONE,
      term_count: 1,
      paid_until: END,
    } as const
    await shop.ctx.db.updateTable("services").set(term).where("id", "=", id).execute()
    if (credit > 0) {
      const overpaid = await placed(shop, { customerId })
      const attempt = await opened(shop, overpaid, overpaid.total.minor)
      const update = paymentUpdate(attempt, "paid", overpaid.total.minor + credit)
      await shop.payments.recordPaymentUpdate("offshore", update, NOON)
    }
    expect(await shop.payments.accountCredit(customerId, "EUR")).toEqual(money(credit, "EUR"))
    return { id, customerId }
  }

  async function renewal(id: string, at = END): Promise<NewRenewal> {
    const service = await shop.billing.service(id)
    if (!service) throw new Error("no service")
    const item = { serviceId: id, cycles: 1, amount: price }
    const line = renewalLine({ ...service, cycle: "monthly" }, item)
    return {
      key: `balance-${id}-${service.term?.count}`,
      items: [item],
      quote: renewalQuote([line]),
      gateway: "offshore",
      locale: "en-en",
      customerId: service.customerId,
      accessScope: { reach: "account" },
      accountCreditScope: "account",
      holdReason: null,
      browser: null,
      address: null,
      number: unique,
      at,
      deadline: at + DAY,
    }
  }

  const stateOf = async ({ id, customerId }: { id: string; customerId: string }) => ({
    paidUntil: (await shop.billing.service(id))?.paidUntil,
    credit: (await shop.payments.accountCredit(customerId, "EUR")).minor,
  })

  test("is in the language of the last paid order of the service", async () => {
    const owned = await serviceWithCredit(20_00)
    await shop.billing.setBalanceRenewal(owned.id, true, NOON)
    expect(await shop.billing.renewFromBalance(await renewal(owned.id))).toMatchObject({ locale: "de-de" })
  })

  test("takes the price and adds the cycle in one transaction, once for all instances", async () => {
    const owned = await serviceWithCredit(45_00)
    await shop.billing.setBalanceRenewal(owned.id, true, NOON)
    const request = await renewal(owned.id)
    const orders = await Promise.all([1, 2, 3].map(() => shop.billing.renewFromBalance(request)))
    expect(new Set(orders.map((order) => order?.id).filter(Boolean)).size).toBe(1)
    expect(await stateOf(owned)).toEqual({ paidUntil: NEXT, credit: 25_00 })
    expect(await shop.billing.renewFromBalance(await renewal(owned.id))).toBeNull()
    expect((await stateOf(owned)).credit).toBe(25_00)
  })

  test.each<[string, number, (id: string) => Promise<unknown>, number]>([
    ["the credit does not cover the price", 19_99, async () => {}, END],
    ["there is no credit", 0, async () => {}, END],
    ["paid time is left", 45_00, async () => {}, END - 1],
    ["the consent was taken back", 45_00, (id) => shop.billing.setBalanceRenewal(id, false, NOON), END],
    ["the customer said not to renew", 45_00, (id) => shop.billing.declineRenewal(id, "price", NOON), END],
  ])("does nothing if %s", async (_, credit, change, at) => {
    const owned = await serviceWithCredit(credit)
    await shop.billing.setBalanceRenewal(owned.id, true, NOON)
    await change(owned.id)
    expect(await shop.billing.renewFromBalance(await renewal(owned.id, at))).toBeNull()
    expect(await stateOf(owned)).toEqual({ paidUntil: END, credit })
  })

  /** Somebody pays the next term by a link: the gateway has seen the payment. */
  async function seenPayment(id: string) {
    const order = await shop.billing.placeRenewal({
      ...(await renewal(id, NOON)),
      key: unique(),
      accountCreditScope: "none",
    })
    const attempt = await opened(shop, order, price.minor)
    await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "processing", 0), END - DAY)
    return attempt
  }

  test("waits for a payment of the term that is in flight, which is then the only one", async () => {
    const owned = await serviceWithCredit(45_00)
    await shop.billing.setBalanceRenewal(owned.id, true, NOON)
    const attempt = await seenPayment(owned.id)
    expect(await shop.billing.renewFromBalance(await renewal(owned.id))).toBeNull()
    const update = paymentUpdate(attempt, "paid", price.minor)
    await shop.payments.recordPaymentUpdate("offshore", update, END + HOUR)
    expect(await shop.billing.renewFromBalance(await renewal(owned.id, END + HOUR))).toBeNull()
    expect(await stateOf(owned)).toEqual({ paidUntil: NEXT, credit: 45_00 })
  })

  test("goes on once the payment in flight has failed", async () => {
    const owned = await serviceWithCredit(45_00)
    await shop.billing.setBalanceRenewal(owned.id, true, NOON)
    const attempt = await seenPayment(owned.id)
    await shop.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "failed", 0), END + HOUR)
    expect(await shop.billing.renewFromBalance(await renewal(owned.id, END + HOUR))).not.toBeNull()
    expect(await stateOf(owned)).toEqual({ paidUntil: NEXT, credit: 25_00 })
  })

  test.each([
    ["the end of the paid time", null],
    ["a reminder that it has held", END - DAY],
  ])("waits for a payment in flight for as long as dunning does, from %s", async (_, since) => {
    const owned = await serviceWithCredit(45_00)
    await shop.billing.setBalanceRenewal(owned.id, true, NOON)
    await seenPayment(owned.id)
    await shop.ctx.db.updateTable("services").set({ held_since: since }).where("id", "=", owned.id).execute()
    const until = (since ?? END) + termPolicy.holdHours * HOUR
    expect(await shop.billing.renewFromBalance(await renewal(owned.id, until - 1))).toBeNull()
    expect(await shop.billing.renewFromBalance(await renewal(owned.id, until))).not.toBeNull()
  })

  test("needs consent, which is off at first, is on the timeline and takes a refusal back", async () => {
    const { id } = await serviceWithCredit(45_00)
    expect(await shop.billing.renewFromBalance(await renewal(id))).toBeNull()
    await shop.billing.declineRenewal(id, "price", NOON)
    for (const isOn of [true, true, false, false, true]) await shop.billing.setBalanceRenewal(id, isOn, NOON)
    expect(await shop.billing.service(id)).toMatchObject({ balanceRenewal: true, declinedAt: null })
    const events = await shop.ctx.db
      .selectFrom("service_events")
      .select("detail")
      .where("service_id", "=", id)
      .where("kind", "=", "consent")
      .orderBy("position")
      .execute()
    expect(events.map(({ detail }) => JSON.parse(detail ?? "").balance)).toEqual(["on", "off", "on"])
  })

  test("is due at the end of the paid time, in pages, and not for services that ended long ago", async () => {
    const ids = [await serviceWithCredit(0), await serviceWithCredit(0)].map(({ id }) => id).toSorted()
    for (const id of ids) await shop.billing.setBalanceRenewal(id, true, NOON)
    const due = async (at: number, after = "") => {
      const found = await shop.billing.dueBalanceRenewals(at, after, 1_000)
      return found.filter((id) => ids.includes(id))
    }
    expect(await due(END - 1)).toEqual([])
    expect(await due(END)).toEqual(ids)
    expect(await due(END, ids[0])).toEqual(ids.slice(1))
    expect(await due(END + 61 * DAY)).toEqual([])
  })

  test("of two services at once spends the same credit once", async () => {
    const first = await serviceWithCredit(30_00)
    const second = await active(shop, { customerId: first.customerId })
    const term = {
      cycle: "monthly",
      term_anchor: NOON,
      term_zone: ZONE,
      term_count: 1,
      paid_until: END,
    } as const
    await shop.ctx.db.updateTable("services").set(term).where("id", "=", second.serviceId).execute()
    const requests = [await renewal(first.id), await renewal(second.serviceId)]
    for (const id of [first.id, second.serviceId]) await shop.billing.setBalanceRenewal(id, true, NOON)
    const orders = await Promise.all(requests.map((request) => shop.billing.renewFromBalance(request)))
    expect(orders.filter(Boolean)).toHaveLength(1)
    expect((await stateOf(first)).credit).toBe(10_00)
  })
})
