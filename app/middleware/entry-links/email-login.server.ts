import type { MiddlewareFunction } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { sessionContext, signedIn } from "~/context/session.server"
import { BASE } from "~/domain/base-path"
import { isForBuying } from "~/domain/orders/entry-link"
import { signInScreen } from "~/domain/orders/interstitial"
import { pathOf } from "~/domain/orders/screen-paths"
import { endSignUpPassword } from "~/flows/customers/end-sign-up-password.server"
import { type LinkedCustomer, verifySignInLink } from "~/flows/customers/verify-sign-in-link.server"
import { isHumanNavigation } from "~/http/human-navigation.server"
import { interstitial } from "../interstitial.server"
import { redirectTo } from "../redirect-to.server"
import type { Visit } from "../visit"
import { entryLinkOf } from "./entry-link.server"

/**
 * An e-mail in a link identifies a visitor (see `entryChoices`). A link signed by the operator also authenticates the
 * customer, invalidates a password chosen at sign-up without a proven address, and redirects to the customer's services.
 */
export const emailLogin: MiddlewareFunction<Response> = async (visit) => {
  const { context, url } = visit
  const link = entryLinkOf(visit)
  if (!link?.email) return
  const services = context.get(servicesContext)
  const found = await verifySignInLink(services, link)
  if (found.kind === "expired")
    throw interstitial(signInScreen({ reason: "old-link", email: link.email }), 401)
  if (found.kind === "unknown") return

  const ended = await endsPassword(visit, found)
  const proof = { how: found.kind === "proven" ? "link" : "trusted-link", at: services.now() } as const
  const session = signedIn(context.get(sessionContext), found.customer, proof)
  context.set(sessionContext, {
    ...session,
    serviceId: link.serviceid ?? session.serviceId,
    ...(ended && { passwordEnded: true }),
  })
  const locale = context.get(localeContext)
  const atHome = url.pathname.replace(/\/$/, "") === `${BASE}${locale.prefix}`
  if (found.kind === "proven" && atHome && !isForBuying(link)) throw redirectTo(locale, pathOf.viewer.success)
}

/** Prefetches and bots invalidate no password. */
async function endsPassword({ request, context }: Visit, found: LinkedCustomer): Promise<boolean> {
  if (found.kind !== "proven" || !isHumanNavigation(request)) return false
  return endSignUpPassword(context.get(servicesContext), found.customer)
}
