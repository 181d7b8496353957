import { afterEach, beforeEach, expect, test } from "vitest"
import { HOUR } from "~/domain/calendar"
import { buy } from "../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../tests/fixtures/test-shop"
import { BillingError } from "./billing"
import { readOnce } from "./read-once.server"
import type { InvoiceRenewals } from "./services/invoice-renewals"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

const invoiceRenewals: InvoiceRenewals = {
  renewalInvoices: async () => [],
  openInvoiceRenewal: unused,
  placeInvoiceRenewal: unused,
  settleInvoiceRenewal: unused,
}

async function unused(): Promise<never> {
  throw new Error("not called")
}

/** The ports of a request, and the orders that were read. */
function opened(fails = () => false) {
  const reads: string[] = []
  const { billing, payments, purchase, mails, catalogue } = shop.services
  const order = async (id: string) => {
    reads.push(id)
    if (fails()) throw new BillingError("unavailable", "no answer")
    return billing.order(id)
  }
  return {
    reads,
    ...readOnce({
      billing: { ...billing, order },
      payments,
      purchase,
      mails,
      catalogue,
      orderSync: null,
      invoiceRenewals,
      planUpgrades: null,
      dunning: null,
    }),
  }
}

test("an order is read once in a request, also by concurrent readers", async () => {
  const { order } = await buy(shop)
  const { billing, reads } = opened()
  const [first, second] = await Promise.all([billing.order(order.id), billing.order(order.id)])
  expect([first, second, await billing.order(order.id)]).toEqual([first, first, first])
  await billing.order("another")
  expect(reads).toEqual([order.id, "another"])
})

test("a request whose order was refused reads the payment methods again", async () => {
  const { services } = shop
  let taken = ["offshore", "coinbase"]
  const { catalogue } = readOnce({
    ...services,
    orderSync: null,
    planUpgrades: null,
    dunning: null,
    invoiceRenewals,
    catalogue: { ...services.catalogue, gateways: async () => taken },
  })
  expect(await catalogue.gateways()).toEqual(["offshore", "coinbase"])
  taken = ["coinbase"]
  expect(await catalogue.gateways()).toEqual(["offshore", "coinbase"])
  catalogue.expire()
  expect(await catalogue.gateways()).toEqual(["coinbase"])
})

test("reading what is offered forgets no order, though it ends while the order is read", async () => {
  const { order } = await buy(shop)
  const { billing, reads } = opened()
  const gateways = billing.gateways()
  const first = billing.order(order.id)
  await gateways
  await Promise.all([first, billing.order(order.id)])
  expect(reads).toEqual([order.id])
})

test("who reads an order while its payment is claimed for a poll has what was read; afterwards it is read again", async () => {
  const { order } = await buy(shop)
  const { billing, payments, reads } = opened()
  await billing.order(order.id)
  const attempt = await payments.latestAttempt(order.id)
  if (!attempt) throw new Error("There is no payment")
  const now = shop.services.now() + HOUR
  const claim = payments.claimPoll(attempt, now, now)
  await billing.order(order.id)
  expect(await claim).toBe(true)
  expect(reads).toEqual([order.id])
  await billing.order(order.id)
  expect(reads).toEqual([order.id, order.id])
})

test("an order is read again after a write to billing or payments", async () => {
  const { order } = await buy(shop)
  const { billing, payments, reads } = opened()
  await billing.order(order.id)
  await billing.applyOrderEvent(order.id, "aborted", shop.services.now())
  expect(await billing.order(order.id)).toMatchObject({ status: "cancelled" })
  await payments.markAttemptClosed("none")
  await billing.order(order.id)
  expect(reads).toHaveLength(3)
})

test("an order is read again after a look at the invoices of external billing, which may have changed it", async () => {
  const { order } = await buy(shop)
  const { billing, reads, ...ports } = opened()
  await billing.order(order.id)
  await ports.invoiceRenewals?.renewalInvoices("customer", "current")
  await billing.order(order.id)
  expect(reads).toHaveLength(2)
})

test("a read that began before a write has ended is not used afterwards", async () => {
  const { order } = await buy(shop)
  const { billing } = opened()
  const write = billing.applyOrderEvent(order.id, "aborted", shop.services.now())
  await Promise.all([write, billing.order(order.id)])
  expect(await billing.order(order.id)).toMatchObject({ status: "cancelled" })
})

test("a failed read is repeated", async () => {
  const { order } = await buy(shop)
  let down = true
  const { billing } = opened(() => down)
  await expect(billing.order(order.id)).rejects.toMatchObject({ kind: "unavailable" })
  down = false
  expect(await billing.order(order.id)).toMatchObject({ id: order.id })
})

test("a list of plans that was read from billing is shown, and a shown one does not price an order", async () => {
  const { services } = shop
  const [plan] = await services.billing.plans()
  const older = plan ? [{ ...plan, name: "older" }] : []
  const catalogue = { ...services.catalogue, plans: async () => older }
  const first = readOnce({ ...services, catalogue })
  expect(await first.catalogue.plans()).toEqual(older)
  expect(await first.billing.plans()).not.toEqual(older)
  expect(await first.catalogue.plans()).toEqual(await first.billing.plans())
})
