import { isRefusedByBilling } from "~/billing/billing"
import type { NewRenewal } from "~/billing/services/renewals"
import type { LoggedServices } from "~/context/services.server"
import { MINUTE } from "~/domain/calendar"
import { UNKNOWN_COUNTRY } from "~/domain/customers/country"
import { renewalLine, renewalQuote } from "~/domain/services/renewal"
import type { Service } from "~/domain/services/service"
import { buyerPlaceOfCustomer } from "~/flows/checkout/buyer-place-of-customer.server"
import { fraudVerdict } from "~/flows/checkout/check-fraud.server"
import { newServiceOrder } from "~/flows/checkout/new-order.server"
import { priceRenewals } from "~/flows/checkout/price-renewal.server"
import { pricedForCustomer } from "~/flows/checkout/priced-for.server"

const BATCH = 50
/** If the renewing instance dies, another takes over after this time. */
const LEASE = 5 * MINUTE

/**
 * Renews services at their end whose customers have consented, from their account credit, each for one cycle: the only renewal
 * without a press of the customer. A service whose price the credit does not cover is left to reminders and grace, and
 * tried again. Nothing is done while the clock is not reliable. One instance at a time, by lease; the order's key keeps two from
 * renewing twice all the same.
 */
export async function renewFromBalances(services: LoggedServices, holder: string): Promise<void> {
  const { outbox, shop, now, isClockReliable } = services
  if (
    shop.terms === null ||
    !isClockReliable() ||
    !(await outbox.lease("balance renewals", holder, now(), LEASE))
  )
    return
  let last: string | undefined = ""
  while (last !== undefined) last = await renewBatch(services, last)
}

/** Returns the last service of the batch; undefined after the last batch. */
async function renewBatch(services: LoggedServices, after: string): Promise<string | undefined> {
  const { billing, now } = services
  const due = await billing.dueBalanceRenewals(now(), after, BATCH)
  for (const serviceId of due) await renewFromBalance(services, serviceId)
  if (due.length > 0) services.wakeJobs()
  return due.at(-1)
}

/** Renews one service from account credit, if it has ended and its customer has consented; any instance may at any time. */
export async function renewFromBalance(services: LoggedServices, serviceId: string): Promise<void> {
  const orderId = await renewOne(services, serviceId)
  if (orderId !== null) services.log.info({ serviceId, orderId }, "service renewed from account credit")
}

/** Id of the order; null: the credit does not suffice, the service cannot be renewed, or its customer's orders are on hold. */
async function renewOne(services: LoggedServices, serviceId: string): Promise<string | null> {
  const { billing, log } = services
  const found = await billing.service(serviceId)
  if (!found || (await isOnHold(services, found))) return null
  const renewal = await balanceRenewal(services, found)
  if (!renewal) return null
  try {
    return (await billing.renewFromBalance(renewal))?.id ?? null
  } catch (error) {
    if (!isRefusedByBilling(error)) throw error
    log.warn({ serviceId, reason: error.message }, "service not renewed from account credit")
    return null
  }
}

/** Whether the customer's orders are on hold: no request has come, so that blocks of the customer and of devices count alone. */
async function isOnHold(services: LoggedServices, { customerId }: Service): Promise<boolean> {
  const nobody = { address: null, country: UNKNOWN_COUNTRY, browser: null, customer: null }
  return !(await fraudVerdict(services, { ...nobody, customerId })).valid
}

/** The order of one cycle. Its key is that of the term: whoever renews it again gets the same order. */
async function balanceRenewal(services: LoggedServices, found: Service): Promise<NewRenewal | null> {
  const { billing, enabledGateways } = services
  const [gateway] = enabledGateways
  const { billing: priceList } = pricedForCustomer(services, found.customerId)
  const [priced] = await priceRenewals(services, priceList, { candidates: [found] })
  const cycle = priced?.choices.find(({ cycles }) => cycles === 1)
  if (!priced || !cycle || !gateway) return null
  const { service } = priced
  const item = { serviceId: service.id, cycles: 1, amount: cycle.total }
  const { anchor, count } = service.term
  return newServiceOrder<NewRenewal>(services, {
    key: `balance-${service.id}-${anchor}-${count}`,
    items: [item],
    quote: renewalQuote([renewalLine(service, item)]),
    gateway,
    locale: (await billing.order(service.orderId))?.locale ?? "en-en",
    customerId: service.customerId,
    accessScope: { reach: "account" },
    accountCreditScope: "account",
    holdReason: null,
    browser: null,
    address: null,
    buyer: await buyerPlaceOfCustomer(services, service.customerId),
  })
}
