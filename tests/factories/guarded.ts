import { type MiddlewareFunction, RouterContextProvider } from "react-router"
import type { Billing } from "~/billing/billing"
import { localeOfIso } from "~/domain/locales"
import type { Order } from "~/domain/order"
import type { OrderStatus } from "~/domain/order-status"
import type { Service } from "~/domain/service"
import { localeContext } from "~/locale.server"
import { orderInHandContext } from "~/order-in-hand.server"
import { type Services, servicesContext } from "~/services.server"
import { type CheckoutSession, emptySession, sessionContext } from "~/session.server"

export type Browser = {
  session: CheckoutSession
  order?: Partial<Order> | null
  services?: readonly Partial<Service>[]
}

export const signIn = "sign in"

const customer = { id: "c1", email: "ana@example.test", currency: "EUR", reach: "account" } as const

/** A browser with an order in hand, or none. */
export function browser(order: Partial<Order> | null, signedIn: boolean): Browser {
  const { id = "K7QM2XDT93", serviceId = "s7" } = order ?? {}
  const held = order && { id, serviceId, kind: "plan" as const, ...order }
  const session = { ...emptySession, orderId: held?.id ?? null, customer: signedIn ? customer : null }
  return { order: held, session: { ...session, serviceIds: held ? [serviceId] : [] } }
}

export const orderAt = (status: OrderStatus | "no order") => (status === "no order" ? null : { status })

/** Where a guard leads a German browser; null where it lets him through. */
export async function guarded(guard: MiddlewareFunction<Response>, browser: Browser): Promise<string | null> {
  try {
    await guard(visitOf(browser, "GET"), async () => new Response())
    return null
  } catch (thrown) {
    return thrown instanceof Response ? thrown.headers.get("location") : signIn
  }
}

/** The order that the page behind a guard need not read again. */
export async function knownBehind(
  guard: MiddlewareFunction<Response>,
  browser: Browser,
  method: "GET" | "POST",
): Promise<Order | null> {
  const visit = visitOf(browser, method)
  await guard(visit, async () => new Response())
  return visit.context.get(orderInHandContext)
}

function visitOf({ session, order = null, services = [] }: Browser, method: string) {
  const billing = {
    order: async (id: string) => (id === order?.id ? order : null),
    service: async (id: string) => services.find((it) => it.id === id) ?? null,
    servicesOf: async ({ id }: { id: string }) => services.filter(({ customerId }) => customerId === id),
  } as Partial<Record<keyof Billing, unknown>> as Billing
  const context = new RouterContextProvider()
  context.set(servicesContext, { billing } as Partial<Services> as Services)
  context.set(sessionContext, session)
  context.set(localeContext, localeOfIso("de-DE"))
  const url = new URL("https://shop.test/checkout/de-de/")
  const request = new Request(url, { method })
  return { request, url, pattern: "/:locale?", params: { locale: "de-de" }, context }
}
