import type { MiddlewareFunction } from "react-router"
import { localeContext } from "~/context/locale.server"
import { type CheckoutSession, sessionContext } from "~/context/session.server"
import { OLD_PLAYLIST, pathOf } from "~/domain/orders/screen-paths"
import { redirectTo } from "../redirect-to.server"
import { signInPage } from "./sign-in-page.server"

/**
 * Audience of a page. `public`: no restriction. `guest`: signed-out visitors; signed-in customers are redirected to
 * their services. `buyer`: signed in, or the session has an order or a service. `customer`: signed in.
 */
export type Audience = "public" | "guest" | "buyer" | "customer"

const admits: Record<Audience, (session: CheckoutSession) => boolean> = {
  public: () => true,
  guest: ({ customer }) => customer === null,
  buyer: ({ customer, orderId, serviceIds }) =>
    customer !== null || orderId !== null || serviceIds.length > 0,
  customer: ({ customer }) => customer !== null,
}

/** Admits a page's audience. Signed-out visitors of other pages get the sign-in screen at the same URL, with 401. */
export function auth(audience: Audience): MiddlewareFunction<Response> {
  return ({ url, context }) => {
    const session = context.get(sessionContext)
    if (admits[audience](session)) return
    if (audience === "guest") throw redirectTo(context.get(localeContext), pathOf.viewer.success)
    const reason = url.searchParams.has(OLD_PLAYLIST) ? "old-playlist" : "needed"
    throw signInPage(context, { reason, status: 401 })
  }
}
