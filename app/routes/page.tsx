import { allowMethods } from "~/middleware/allowed-methods.server"
import { analyticsIsolation } from "~/middleware/analytics-isolation.server"
import { bot } from "~/middleware/bot.server"
import { privateNoCache } from "~/middleware/cache-control.server"
import { endedSession } from "~/middleware/customers/ended-session.server"
import { forgetDevice } from "~/middleware/customers/forget-device.server"
import { session } from "~/middleware/customers/session.server"
import { signIn } from "~/middleware/customers/sign-in.server"
import { signOut } from "~/middleware/customers/sign-out.server"
import { affiliateClick } from "~/middleware/entry-links/affiliate-click.server"
import { autoRedirect } from "~/middleware/entry-links/auto-redirect.server"
import { emailLogin } from "~/middleware/entry-links/email-login.server"
import { entryChoices } from "~/middleware/entry-links/entry-choices.server"
import { otherCheckout } from "~/middleware/entry-links/other-checkout.server"
import { promoLinkRateLimit } from "~/middleware/entry-links/promo-link-rate-limit.server"
import { knownPrefix } from "~/middleware/locale/known-prefix.server"
import { locale } from "~/middleware/locale/locale.server"
import { pathLocale } from "~/middleware/locale/path-locale.server"
import { otherLink } from "~/middleware/orders/other-selection.server"
import { resume } from "~/middleware/orders/resume-order.server"
import { buyerPrices } from "~/middleware/pricing/buyer-prices.server"
import { rejection } from "~/middleware/rejected-request.server"
import type { Route } from "./+types/page"

/**
 * What every page does before its own guards; the not-found page is one of them. The order counts: `session` sets what all below it
 * read, and writes the cookie after all of them; `buyerPrices` reads the session; `pathLocale` sets the language, in which `rejection`
 * and whatever redirects after it answer. `signOut` and `forgetDevice` come before `endedSession`, so that they work in one that has
 * ended, and that before what shows or orders something for its customer.
 */
export const middleware: Route.MiddlewareFunction[] = [
  privateNoCache,
  allowMethods("GET", "HEAD", "POST"),
  analyticsIsolation,
  bot,
  session,
  buyerPrices,
  pathLocale,
  locale,
  knownPrefix,
  rejection,
  signOut,
  forgetDevice,
  endedSession,
  // Entry-link parameters, a guard for each; the last one removes them from the URL. `otherCheckout` leads to another page before the
  // others have read them there. `autoRedirect` orders for the affiliate, the
  // customer and the session that those above it have found.
  otherCheckout,
  affiliateClick,
  emailLogin,
  resume,
  promoLinkRateLimit,
  autoRedirect,
  otherLink,
  entryChoices,
  signIn,
]

/** Without a loader, client navigation would enter a page that has none without asking the server. */
export function loader() {
  return null
}
