import type { NewLine } from "~/billing/resellers"
import { resellerPlansOffered } from "~/domain/catalogue/catalogue"
import { quote } from "~/domain/catalogue/pricing"
import { money } from "~/domain/money/money"
import type { Order } from "~/domain/orders/order"
import { type BillingUnderTest, NOON, placed, resellerPlan, unique } from "./billing-fixtures"

const [offered] = resellerPlansOffered([resellerPlan], "EUR")
if (!offered) throw new Error("The reseller plan is not sold in EUR")
export const resellerPriced = quote(offered, { extraConnection: false, proxyProtection: false }, null)
const free = { lines: [{ kind: "plan", productId: "7", name: "1 month", amount: money(0, "EUR") }] } as const

export type Reseller = Awaited<ReturnType<typeof ordered>>

/** A reseller plan ordered by an authenticated customer, and the line to create with it. */
export async function ordered(backend: BillingUnderTest) {
  const key = unique()
  const order: Order = await placed(backend, {
    key,
    kind: "reseller",
    accessScope: { reach: "account" },
    quote: resellerPriced,
  })
  const line = () => lineFor(order)
  return { key, order, customerId: order.customerId, line }
}

/** Returns the input for a line of an ordered reseller plan, created by its owner. */
export function lineFor({ customerId, serviceId: resellerServiceId }: Order): NewLine {
  return {
    key: unique(),
    customerId,
    resellerServiceId,
    notes: "for Leo",
    holdReason: null,
    cycle: "monthly",
    at: NOON,
    accessScope: { reach: "account" },
    resellerCreditScope: { reach: "account" },
    quote: { ...free, total: money(0, "EUR") },
    gateway: "offshore",
    locale: "en-en",
    address: null,
    number: unique,
    credentials: { username: "TVABCDEFGH", password: "0123456789" },
  }
}

/** The same, paid and active: 25 credits. */
export async function reseller(backend: BillingUnderTest): Promise<Reseller> {
  const made = await ordered(backend)
  await backend.billing.applyOrderEvent(made.order.id, "paid", NOON)
  await backend.billing.activateService(made.order.serviceId, { host: "https://panel.test" }, NOON)
  return made
}
