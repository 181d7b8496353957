import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { NewTopUp } from "~/billing/orders/new-order"
import { DAY } from "~/domain/calendar"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { topUpQuote } from "~/domain/orders/top-up"
import { renewalLine, renewalQuote } from "~/domain/services/renewal"
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

const AMOUNT = 2_500
const PRICE = 2_000
const eur = (minor: number) => money(minor, "EUR")

/** Top-ups of account credit. `terms`: the backend keeps the terms of services, and so renews them from account credit. */
export function topUpsContract(backend: () => BillingUnderTest, { terms }: { terms: boolean }): void {
  describe("top-ups", () => {
    if (terms) withTerms(backend)
    else withoutTerms(backend)
  })
}

function withTerms(backend: () => BillingUnderTest): void {
  const credit = ({ customerId }: Pick<Order, "customerId">) =>
    backend().payments.accountCredit(customerId, "EUR")

  /** Reports the payments of an order, each with what has been paid by then, and each twice. */
  async function pay(order: Order, ...received: readonly number[]): Promise<void> {
    const attempt = await opened(backend(), order, order.total.minor)
    for (const minor of received.flatMap((it) => [it, it]))
      await backend().payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", minor), NOON)
  }

  async function topUp(changes: Partial<NewTopUp> = {}): Promise<Order> {
    return backend().billing.placeTopUp(topUpOf(await active(backend()), changes))
  }

  test("a top-up is an order of its own, and its payment is account credit, once", async () => {
    const order = await topUp()
    expect(order).toMatchObject({ kind: "topup", status: "placed", total: eur(AMOUNT) })
    expect(order.lines).toEqual([{ kind: "accountCredit", amount: eur(AMOUNT) }])
    await pay(order, AMOUNT)
    expect(await credit(order)).toEqual(eur(AMOUNT))
    expect(await orderNow(backend(), order)).toMatchObject({ status: "active", credited: eur(AMOUNT) })
    expect(await timelineKinds(backend(), order)).toEqual(["placed", "handed-off", "paid", "credit-added"])
    expect(await backend().ledger(order.id)).toEqual({ received: [eur(AMOUNT)], credit: [eur(AMOUNT)] })
  })

  test.each([
    ["a second payment of it", [AMOUNT, 2 * AMOUNT], 2 * AMOUNT],
    ["what is paid beyond the total", [AMOUNT + 700], AMOUNT + 700],
    ["the rest of a partial payment", [1_000, AMOUNT], AMOUNT],
  ])("%s is account credit too", async (_, payments, total) => {
    const order = await topUp()
    await pay(order, ...payments)
    expect(await credit(order)).toEqual(eur(total))
    expect((await orderNow(backend(), order)).received).toEqual(eur(total))
  })

  test("a part of the total waits for the rest, and is account credit once the order is cancelled", async () => {
    const order = await topUp()
    await pay(order, 1_000)
    expect(await credit(order)).toEqual(eur(0))
    expect((await orderNow(backend(), order)).status).toBe("partially-paid")
    await backend().billing.applyOrderEvent(order.id, "aborted", NOON)
    expect(await credit(order)).toEqual(eur(1_000))
  })

  test("a refund takes the account credit back", async () => {
    const order = await topUp()
    const attempt = await opened(backend(), order, AMOUNT)
    const { recordPaymentUpdate } = backend().payments
    await recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", AMOUNT), NOON)
    const refunded = { ...paymentUpdate(attempt, "refunded", AMOUNT), refunded: eur(AMOUNT) }
    await recordPaymentUpdate("offshore", refunded, NOON)
    expect(await credit(order)).toEqual(eur(0))
    expect(await orderNow(backend(), order)).toMatchObject({ received: eur(0), credited: eur(0) })
  })

  test("an operator who has received the total grants it, and later money too", async () => {
    const order = await topUp()
    const attempt = await opened(backend(), order, AMOUNT)
    await backend().billing.applyOrderEvent(order.id, "paid", NOON, "operator: by bank")
    expect(await credit(order)).toEqual(eur(AMOUNT))
    await backend().payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 500), NOON)
    expect(await credit(order)).toEqual(eur(AMOUNT + 500))
  })

  test("a refund of one that an operator has received takes the account credit back, and gives none", async () => {
    const order = await topUp()
    await backend().billing.applyOrderEvent(order.id, "paid", NOON, "operator: by bank")
    const refund = (minor: number, toCredit: boolean) =>
      backend().operator.recordRefund(order.id, {
        key: unique(),
        amount: eur(minor),
        reason: "asked",
        at: NOON + 1,
        toCredit,
      })
    expect(await refund(1, true)).toEqual({ kind: "too-much", received: eur(0) })
    expect(await refund(AMOUNT, false)).toEqual({ kind: "recorded", gateway: null })
    expect(await credit(order)).toEqual(eur(0))
    expect(await refund(1, false)).toEqual({ kind: "too-much", received: eur(0) })
    expect(await backend().operator.findImbalances()).toEqual([])
  })

  test("a key orders once, and no other customer may use it", async () => {
    const bought = await active(backend())
    const request = topUpOf(bought)
    const orders = await together(5, () => backend().billing.placeTopUp(request))
    expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
    const other = topUpOf(await active(backend()), { key: request.key })
    await expect(backend().billing.placeTopUp(other)).rejects.toMatchObject({ kind: "refused" })
  })

  test("top-ups count as payable until they are paid, cancelled, or too late", async () => {
    const bought = await active(backend())
    const payable = (at = NOON) => backend().billing.payableTopUps(bought.customerId, "EUR", at)
    expect(await payable()).toEqual(eur(0))
    const [first, second] = [topUpOf(bought), topUpOf(bought)]
    const paid = await backend().billing.placeTopUp(first)
    const cancelled = await backend().billing.placeTopUp(second)
    expect(await payable()).toEqual(eur(2 * AMOUNT))
    expect(await payable(NOON + 2 * DAY)).toEqual(eur(0))
    await pay(paid, AMOUNT)
    expect(await payable()).toEqual(eur(AMOUNT))
    await backend().billing.applyOrderEvent(cancelled.id, "aborted", NOON)
    expect(await payable()).toEqual(eur(0))
  })

  test("account credit grows to its bound, and the same form sent again is the same order", async () => {
    const bought = await active(backend())
    const request = topUpOf(bought, { max: AMOUNT })
    const order = await backend().billing.placeTopUp(request)
    await pay(order, AMOUNT)
    expect((await backend().billing.placeTopUp(request)).id).toBe(order.id)
    const more = topUpOf(bought, { quote: topUpQuote(eur(1)), max: AMOUNT })
    await expect(backend().billing.placeTopUp(more)).rejects.toMatchObject({
      kind: "refused",
      message: "Too much account credit",
    })
  })

  test("top-ups that can be paid count toward the bound, also those of other windows at once, until they cannot", async () => {
    const bought = await active(backend())
    const { placeTopUp, applyOrderEvent } = backend().billing
    const placed = await Promise.allSettled(
      Array.from({ length: 4 }, () => placeTopUp(topUpOf(bought, { max: 2 * AMOUNT }))),
    )
    const orders = placed.flatMap((it) => (it.status === "fulfilled" ? [it.value] : []))
    expect(orders).toHaveLength(2)
    const more = (at = NOON) => placeTopUp(topUpOf(bought, { at, deadline: at + DAY, max: 2 * AMOUNT }))
    await expect(more()).rejects.toMatchObject({ message: "Too much account credit" })
    await applyOrderEvent(orders[0]?.id ?? "", "aborted", NOON)
    expect((await more()).status).toBe("placed")
    await expect(more()).rejects.toMatchObject({ message: "Too much account credit" })
    expect((await more(NOON + DAY)).status).toBe("placed")
  })

  test("account credit does not pay it, and a service of another customer is refused", async () => {
    const bought = await active(backend())
    const { placeTopUp } = backend().billing
    const other = await active(backend())
    for (const changes of [
      { accountCreditScope: "account" },
      { customerId: other.customerId },
      { serviceId: "none" },
      { quote: topUpQuote(eur(0)) },
    ] as const)
      await expect(placeTopUp(topUpOf(bought, changes))).rejects.toMatchObject({ kind: "refused" })
  })

  test("money is conserved over top-ups and renewals from account credit, in any order", async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("pay" as const), minor: fc.integer({ min: 1, max: 2 * AMOUNT }) }),
      fc.record({ kind: fc.constant("cancel" as const), minor: fc.integer({ min: 1, max: AMOUNT - 1 }) }),
      fc.record({ kind: fc.constant("renew" as const), minor: fc.constant(0) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 8 }), async (steps) => {
        const bought = await active(backend())
        await backend().billing.setBalanceRenewal(bought.serviceId, true, NOON)
        const orders: Order[] = []
        for (const { kind, minor } of steps) orders.push(...(await happen[kind](bought, minor)))
        const spent = orders.filter(({ kind }) => kind === "renewal").length * PRICE
        expect(await received(orders)).toBe((await credit(bought)).minor + spent + (await open(orders)))
      }),
      { numRuns: 5 },
    )
  })

  /** What may happen; returns its order. */
  const happen = {
    async pay(bought: Order, minor: number): Promise<readonly Order[]> {
      const order = await backend().billing.placeTopUp(topUpOf(bought))
      await pay(order, minor)
      return [order]
    },

    async cancel(bought: Order, minor: number): Promise<readonly Order[]> {
      const [order] = await happen.pay(bought, minor)
      if (order) await backend().billing.applyOrderEvent(order.id, "aborted", NOON)
      return order ? [order] : []
    },

    renew: renewFromBalance,
  }

  async function renewFromBalance({ serviceId, customerId }: Order): Promise<readonly Order[]> {
    const found = await backend().billing.service(serviceId)
    if (!found?.paidUntil || !found.cycle) throw new Error("There is no term")
    const item = { serviceId, cycles: 1, amount: eur(PRICE) }
    const order = await backend().billing.renewFromBalance({
      ...topUpOf({ serviceId, customerId }),
      items: [item],
      quote: renewalQuote([renewalLine({ ...found, cycle: found.cycle }, item)]),
      accountCreditScope: "account",
      at: found.paidUntil,
      deadline: found.paidUntil + DAY,
    })
    return order ? [order] : []
  }

  /** Money by the ledger. */
  async function received(orders: readonly Order[]): Promise<number> {
    const ledgers = await Promise.all(orders.map(({ id }) => backend().ledger(id)))
    return ledgers.flatMap((it) => it.received).reduce((sum, { minor }) => sum + minor, 0)
  }

  /** Money of top-ups that wait for the rest. */
  async function open(orders: readonly Order[]): Promise<number> {
    const found = await Promise.all(orders.map((order) => orderNow(backend(), order)))
    const waiting = found.filter(({ status }) => status === "partially-paid")
    return waiting.reduce((sum, it) => sum + it.received.minor - it.credited.minor, 0)
  }
}

function withoutTerms(backend: () => BillingUnderTest): void {
  test("account credit is not sold where the external billing system keeps the terms", async () => {
    const bought = await active(backend())
    await expect(backend().billing.placeTopUp(topUpOf(bought))).rejects.toMatchObject({
      kind: "refused",
      message: "Service not found or not renewable",
    })
  })
}

function topUpOf(
  { serviceId, customerId }: Pick<Order, "serviceId" | "customerId">,
  changes: Partial<NewTopUp> = {},
): NewTopUp {
  return {
    key: unique(),
    customerId,
    serviceId,
    quote: topUpQuote(eur(AMOUNT)),
    gateway: "offshore",
    locale: "en-en",
    address: "192.0.2.7",
    number: unique,
    at: NOON,
    deadline: NOON + DAY,
    accessScope: { reach: "account" },
    accountCreditScope: "none",
    holdReason: null,
    browser: null,
    max: 1_000_000,
    ...changes,
  }
}
