import { describe, expect, test } from "vitest"
import { ConcurrentRenewal } from "~/billing/billing"
import type { NewRenewal } from "~/billing/services/renewals"
import { DAY } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { renewalLine, renewalQuote } from "~/domain/services/renewal"
import type { Service } from "~/domain/services/service"
import { endOfTerm, withCycles } from "~/domain/services/term"
import {
  active,
  type BillingUnderTest,
  NOON,
  opened,
  orderNow,
  paymentUpdate,
  timelineKinds,
  together,
  unique,
} from "./billing-fixtures"

const PRICE = 2_000
const refused = { name: "BillingError", kind: "refused", message: "Service not found or not renewable" }

/** Renewals. `terms`: the backend keeps the terms of services; an external billing system has its own. */
export function renewalsContract(backend: () => BillingUnderTest, { terms }: { terms: boolean }): void {
  describe("renewals", () => {
    if (terms) withTerms(backend)
    else withoutTerms(backend)
  })
}

function withTerms(backend: () => BillingUnderTest): void {
  test("a renewal is an order of its own for its service, and says what it renews", async () => {
    const found = await service(backend())
    const order = await backend().billing.placeRenewal(renewalOf([found]))
    expect(order).toMatchObject({
      kind: "renewal",
      serviceId: found.id,
      customerId: found.customerId,
      status: "placed",
      total: money(PRICE, "EUR"),
    })
    expect(await backend().billing.renewalItems(order.id)).toEqual([
      {
        serviceId: found.id,
        name: found.name,
        username: found.username,
        cycles: 1,
        amount: money(PRICE, "EUR"),
        until: null,
      },
    ])
  })

  test("of several renewals at once that know of no other one, one is placed, and another that knows it", async () => {
    const found = await service(backend())
    const { placeRenewal, unpaidRenewals } = backend().billing
    const renewal = { ...renewalOf([found]), known: [] }
    const placed = await Promise.allSettled(
      Array.from({ length: 5 }, () => placeRenewal({ ...renewal, key: unique() })),
    )
    const refusals = placed.flatMap((it) => (it.status === "rejected" ? [it.reason] : []))
    expect(refusals).toHaveLength(4)
    for (const refusal of refusals) expect(refusal).toBeInstanceOf(ConcurrentRenewal)
    const known = (await unpaidRenewals(found.id, NOON)).map(({ id }) => id)
    expect(known).toHaveLength(1)
    expect((await placeRenewal({ ...renewal, known })).status).toBe("placed")
  })

  test("an unpaid renewal is found by its service until its deadline, and until money is involved", async () => {
    const found = await service(backend())
    const { billing, payments } = backend()
    const unpaid = async (at = NOON) => (await billing.unpaidRenewals(found.id, at)).map(({ id }) => id)
    const { id, deadline } = await billing.placeRenewal(renewalOf([found]))
    const other = await billing.placeRenewal(renewalOf([found]))
    expect((await unpaid()).toSorted()).toEqual([id, other.id].toSorted())
    expect(await unpaid(deadline)).toEqual([])
    const attempt = await opened(backend(), other, PRICE)
    await payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "partially-paid", 1), NOON)
    expect(await unpaid()).toEqual([id])
  })

  test("a partly paid renewal is found by its service until its deadline, and until it is paid", async () => {
    const found = await service(backend())
    const { billing, payments } = backend()
    const partly = async (at = NOON) => (await billing.partlyPaidOrderOf(found.id, at))?.id ?? null
    const renewal = await billing.placeRenewal(renewalOf([found]))
    expect(await partly()).toBeNull()
    const attempt = await opened(backend(), renewal, PRICE)
    await payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "partially-paid", 1), NOON)
    expect(await partly()).toBe(renewal.id)
    expect(await partly(renewal.deadline)).toBeNull()
    await payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", PRICE), NOON)
    expect(await partly()).toBeNull()
  })

  test("a key orders once, and no other customer may use it", async () => {
    const [found, other] = [await service(backend()), await service(backend())]
    const renewal = renewalOf([found])
    const orders = await together(5, () => backend().billing.placeRenewal(renewal))
    expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
    await expect(
      backend().billing.placeRenewal({ ...renewalOf([other]), key: renewal.key }),
    ).rejects.toMatchObject({ kind: "refused" })
  })

  test("a payment adds the terms once, two renewals add two, and money beyond is account credit", async () => {
    const found = await service(backend())
    const first = await renew(backend(), found, 2 * PRICE)
    expect((await again(backend(), found)).paidUntil).toBe(endAfter(found, 1))
    expect(await backend().payments.accountCredit(found.customerId, "EUR")).toEqual(money(PRICE, "EUR"))
    await renew(backend(), found)
    expect((await again(backend(), found)).paidUntil).toBe(endAfter(found, 2))
    expect((await orderNow(backend(), first)).status).toBe("active")
    expect(await timelineKinds(backend(), first)).toContain("renewed")
  })

  test("several services are renewed in one payment, each by its term", async () => {
    const one = await service(backend())
    const two = await service(backend(), one.customerId)
    const order = await backend().billing.placeRenewal(renewalOf([one, two]))
    expect(order.total).toEqual(money(2 * PRICE, "EUR"))
    await pay(backend(), order)
    for (const it of [one, two]) expect((await again(backend(), it)).paidUntil).toBe(endAfter(it, 1))
  })

  test("consent to renew from account credit is stored, spends the credit once at the end, and is ended", async () => {
    const found = await service(backend())
    const { billing, payments } = backend()
    await renew(backend(), found, 2 * PRICE)
    const { paidUntil, term } = await again(backend(), found)
    const at = paidUntil ?? 0
    const fromCredit = { ...renewalOf([found], { at }), key: `balance ${found.id} ${term?.count}` }
    const scoped = { ...fromCredit, accountCreditScope: "account" as const }
    expect(await billing.renewFromBalance(scoped)).toBeNull()
    await billing.setBalanceRenewal(found.id, true, NOON)
    expect(await billing.dueBalanceRenewals(at - 1, "", 9)).toEqual([])
    expect(await billing.dueBalanceRenewals(at, "", 9)).toEqual([found.id])
    expect(await billing.renewFromBalance(scoped)).toMatchObject({ status: "active" })
    expect(await payments.accountCredit(found.customerId, "EUR")).toEqual(money(0, "EUR"))
    expect((await again(backend(), found)).paidUntil).toBe(endAfter(found, 2))
    await billing.setBalanceRenewal(found.id, false, NOON)
    expect(await again(backend(), found)).toMatchObject({ balanceRenewal: false })
  })

  test("a customer who does not want to renew says so, and takes it back", async () => {
    const found = await service(backend())
    await backend().billing.declineRenewal(found.id, "price", NOON)
    expect(await again(backend(), found)).toMatchObject({ declinedAt: NOON })
    await backend().billing.resumeRenewal(found.id, NOON)
    expect(await again(backend(), found)).toMatchObject({ declinedAt: null })
  })

  test("a lower price is taken, and a higher one is not", async () => {
    const found = await service(backend())
    const { billing } = backend()
    const own = (await billing.renewalTerms(found.id))?.price?.minor ?? 0
    expect(await billing.lowerRenewalPrice(found.id, money(own + 1, "EUR"), NOON)).toBe(false)
    expect(await billing.lowerRenewalPrice(found.id, money(own - 1, "EUR"), NOON)).toBe(true)
    expect((await billing.renewalTerms(found.id))?.price).toEqual(money(own - 1, "EUR"))
  })

  test("an unknown service, and one of another customer, are refused", async () => {
    const [found, other] = [await service(backend()), await service(backend())]
    const { placeRenewal } = backend().billing
    await expect(placeRenewal(renewalOf([{ ...found, id: "none" }]))).rejects.toMatchObject(refused)
    await expect(placeRenewal({ ...renewalOf([found]), customerId: other.customerId })).rejects.toMatchObject(
      refused,
    )
  })
}

function withoutTerms(backend: () => BillingUnderTest): void {
  test("a service whose terms the external billing system keeps is refused like one that cannot be renewed", async () => {
    const { serviceId } = await active(backend())
    const found = await backend().billing.service(serviceId)
    if (!found) throw new Error("There is no service")
    expect(found.term).toBeNull()
    await expect(backend().billing.placeRenewal(renewalOf([found]))).rejects.toMatchObject(refused)
  })

  test("consent, no wish to renew and credit change nothing there", async () => {
    const { serviceId } = await active(backend())
    const { billing } = backend()
    await billing.setBalanceRenewal(serviceId, true, NOON)
    await billing.declineRenewal(serviceId, "price", NOON)
    expect(await billing.service(serviceId)).toMatchObject({ balanceRenewal: false, declinedAt: null })
    expect(await billing.dueBalanceRenewals(NOON + 999 * DAY, "", 9)).toEqual([])
    expect(await billing.unpaidRenewals(serviceId, NOON)).toEqual([])
    await billing.resumeRenewal(serviceId, NOON)
  })

  test("an order of another kind renews nothing", async () => {
    const { id } = await active(backend())
    expect(await backend().billing.renewalItems(id)).toEqual([])
  })
}

/** A service of a month, at EUR 20.00. */
async function service(backend: BillingUnderTest, customerId?: string): Promise<Service> {
  const { serviceId } = await active(backend, customerId === undefined ? {} : { customerId })
  return again(backend, { id: serviceId })
}

async function again({ billing }: BillingUnderTest, { id }: Pick<Service, "id">): Promise<Service> {
  const found = await billing.service(id)
  if (!found) throw new Error("There is no service")
  return found
}

function endAfter({ term, cycle }: Service, cycles: number): number {
  if (term === null || cycle === null) throw new Error("There is no term")
  return endOfTerm(withCycles(term, cycles), cycle)
}

async function renew(backend: BillingUnderTest, found: Service, received = PRICE): Promise<Order> {
  const order = await backend.billing.placeRenewal(renewalOf([found]))
  await pay(backend, order, received)
  return order
}

/** Pays an order, and reports the payment twice. */
async function pay(backend: BillingUnderTest, order: Order, received = order.total.minor): Promise<void> {
  const attempt = await opened(backend, order, order.total.minor)
  for (let reports = 0; reports < 2; reports++)
    await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", received), NOON)
}

function renewalOf(services: readonly Service[], changes: Partial<NewRenewal> = {}): NewRenewal {
  const items = services.map(({ id: serviceId }) => ({ serviceId, cycles: 1, amount: money(PRICE, "EUR") }))
  const at = changes.at ?? NOON
  return {
    key: unique(),
    customerId: services[0]?.customerId ?? "",
    items,
    quote: renewalQuote(
      services.flatMap((it, index) => {
        const item = items[index]
        return item ? [renewalLine({ ...it, cycle: it.cycle ?? "monthly" }, item)] : []
      }),
    ),
    gateway: "offshore",
    locale: "en-en",
    address: "192.0.2.7",
    number: unique,
    at,
    deadline: at + DAY,
    accessScope: null,
    accountCreditScope: "none",
    holdReason: null,
    browser: null,
    ...changes,
  }
}
