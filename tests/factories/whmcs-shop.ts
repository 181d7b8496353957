import type { Backoffice } from "~/billing/backoffice"
import type { Visitor } from "~/billing/customers"
import type { OrderThere, OwnedThere, UpsellThere } from "~/billing/their-orders"
import type { PaidThere } from "~/billing/their-services"
import type { WhmcsSettings } from "~/billing/whmcs/context.server"
import { openWhmcs } from "~/billing/whmcs/whmcs.server"
import { extraOf, type Product, planOf } from "~/domain/catalogue"
import { type Money, money } from "~/domain/money"
import { type AppliedDiscount, type Extras, quote } from "~/domain/pricing"
import { quoteUpsell } from "~/domain/upsell"
import { startWhmcs, type Whmcs, type WhmcsOptions } from "../whmcs-simulator/start"

export const NOON = Date.UTC(2026, 5, 15, 12)

export type WhmcsShop = { readonly whmcs: Whmcs; readonly office: Backoffice }

/** An installation that sells the demonstration, and the shop's way to it. */
export async function whmcsShop(
  options: WhmcsOptions = {},
  settings: Partial<WhmcsSettings> = {},
): Promise<WhmcsShop> {
  const whmcs = await startWhmcs({ now: () => NOON, fieldsOnOrderForm: "all", ...options })
  return { whmcs, office: openWhmcs({ ...settingsFor(whmcs), ...settings }) }
}

/** What an operator sets who has done nothing special. */
export function settingsFor(whmcs: Whmcs): WhmcsSettings {
  return {
    ...{ url: whmcs.url, ...whmcs.settings, timeoutMs: 5_000, pausesMs: [], timeZone: "UTC" },
    ...{ plans: { group: "1" }, resellerPlans: { group: "2" } },
    resellerCredits: new Map(Object.entries({ 11: 10, 12: 25 })),
    fields: { username: "Username", password: "Password", mac: "MAC Address" },
    ...{ restart: "recreate", pushMac: "change-package", countClicks: true, gatewayIds: ["offshore"] },
    hosts: { plan: null, reseller: null },
  }
}

export const visitor: Visitor = {
  ...{ email: "ana@example.test", locale: "es-es", currency: "EUR" },
  ...{ country: "ES", address: "192.0.2.7", at: NOON },
}

type Wish = { pid?: string; extras?: Partial<Extras>; discount?: AppliedDiscount } & Partial<OrderThere>

/** A wish for the demonstration's plan of a month, EUR 12.00. */
export async function wishAt({ office }: WhmcsShop, wish: Wish = {}): Promise<OrderThere> {
  const { pid = "1", extras, discount, ...changes } = wish
  const product = [...(await office.plans()), ...(await office.resellerPlans())].find(({ id }) => id === pid)
  const plan = product && planOf(product, "EUR")
  if (!plan) throw new Error(`No plan ${pid} in EUR`)
  const taken = { extraConnection: false, proxyProtection: false, ...extras }
  const { customerId, email } = await office.identify(visitor)
  return {
    ...{ orderId: "ABCDEFGHJK", kind: product.kind, customerId, email, country: "ES", address: "192.0.2.7" },
    ...{
      locale: "es-es",
      quote: quote(plan, taken, discount ?? null),
      cycle: plan.cycle,
      gateway: "offshore",
    },
    ...{ affiliateId: null, proven: false, credentials: { username: "TVABCDEFGH", password: "0123456789" } },
    ...{ connections: taken.extraConnection ? 2 : 1, at: NOON },
    ...changes,
  }
}

/** An order that has been paid here, as the job that sets it up tells of it. */
export async function paidAt(
  shop: WhmcsShop,
  wish: Wish = {},
  changes: Partial<PaidThere> = {},
): Promise<PaidThere> {
  const order = await wishAt(shop, wish)
  const placed = await shop.office.placeOrder(order)
  const { kind, customerId, orderId: number, gateway, credentials, connections, quote: priced } = order
  const { total } = priced
  return {
    ...{ ...placed, kind, customerId, number, gateway, credentials, connections, total, at: NOON },
    ...{ productId: wish.pid ?? "1", anew: false, payments: [paymentOf(total)] },
    ...changes,
  }
}

export function paymentOf(amount: Money, transactionId = "tx-1"): PaidThere["payments"][number] {
  return { transactionId, gateway: "offshore", amount, at: NOON }
}

/** More connections for a service that works: EUR 19.90 each for a year. */
export function upsellFor(
  paid: PaidThere,
  product: Product,
  changes: Partial<UpsellThere> = {},
): UpsellThere {
  const { quantity = 2 } = changes
  const cycle = planOf(product, "EUR")?.cycle ?? "monthly"
  const extra = extraOf(product.options[0], "EUR", cycle)
  if (!extra) throw new Error("No extra connection")
  const { customerId, serviceId, connections } = paid
  return {
    ...{ orderId: "MMMMMMMMMM", customerId, email: visitor.email, locale: "es-es", gateway: "offshore" },
    ...{ proven: true, at: NOON, serviceId, connections, quantity, quote: quoteUpsell(extra, quantity) },
    ...changes,
  }
}

export function asOwned(order: Pick<OrderThere, "kind" | "customerId">, placed: object): OwnedThere {
  return { ...(placed as OwnedThere), kind: order.kind, customerId: order.customerId }
}

export const euros = (minor: number) => money(minor, "EUR")
