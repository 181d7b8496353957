import { affiliateClick } from "~/middleware/affiliate-click.server"
import { analyticsIsolation } from "~/middleware/analytics-isolation.server"
import { autoRedirect } from "~/middleware/auto-redirect.server"
import { bot } from "~/middleware/bot.server"
import { buyerPrices } from "~/middleware/buyer-prices.server"
import { privateNoCache } from "~/middleware/cache-control.server"
import { emailLogin } from "~/middleware/email-login.server"
import { endedSession } from "~/middleware/ended-session.server"
import { entryChoices } from "~/middleware/entry-choices.server"
import { forgetDevice } from "~/middleware/forget-device.server"
import { knownPrefix } from "~/middleware/known-prefix.server"
import { locale } from "~/middleware/locale.server"
import { pathLocale } from "~/middleware/path-locale.server"
import { promoLinkRateLimit } from "~/middleware/promo-link-rate-limit.server"
import { rejection } from "~/middleware/rejected-request.server"
import { resume } from "~/middleware/resume-order.server"
import { session } from "~/middleware/session.server"
import { signIn } from "~/middleware/sign-in.server"
import { signOut } from "~/middleware/sign-out.server"
import type { Route } from "./+types/page"

/** What every page does before its own guards; the not-found page is one of them. */
export const middleware: Route.MiddlewareFunction[] = [
  privateNoCache,
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
  // Entry-link parameters, a guard for each; the last one removes them from the URL.
  affiliateClick,
  emailLogin,
  resume,
  promoLinkRateLimit,
  autoRedirect,
  entryChoices,
  signIn,
]

/** Without a loader, client navigation would enter a page that has none without asking the server. */
export function loader() {
  return null
}
