import type { MiddlewareFunction } from "react-router"
import { localeContext } from "~/context/locale.server"
import { type CheckoutSession, sessionContext } from "~/context/session.server"
import { signInScreen } from "~/domain/interstitial"
import { interstitial } from "./interstitial.server"
import { redirectTo } from "./redirect-to.server"

/**
 * Who may see a page. `public`: everybody. `guest`: whoever has not signed in; a customer is led to what he has.
 * `buyer`: a customer, or a browser that has ordered something. `customer`: only who has signed in.
 */
export type Audience = "public" | "guest" | "buyer" | "customer"

const admits: Record<Audience, (session: CheckoutSession) => boolean> = {
  public: () => true,
  guest: ({ customer }) => customer === null,
  buyer: ({ customer, orderId, serviceIds }) =>
    customer !== null || orderId !== null || serviceIds.length > 0,
  customer: ({ customer }) => customer !== null,
}

/** Lets through whom a page is for; the sign-in screen appears in its place for those who may prove themselves. */
export function auth(audience: Audience): MiddlewareFunction<Response> {
  return ({ context }) => {
    const session = context.get(sessionContext)
    if (admits[audience](session)) return
    if (audience === "guest") throw redirectTo(context.get(localeContext), "/success")
    throw interstitial(signInScreen({ reason: "needed", email: session.choices.email ?? "" }), 401)
  }
}
