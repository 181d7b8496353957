import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { leadsToSomething, sessionContext } from "~/context/session.server"
import { BASE } from "~/domain/base-path"
import { type Locale, localPath } from "~/domain/locales"
import { withdrawalPath } from "~/domain/orders/screen-paths"
import { titleIn } from "~/domain/shop/brand"
import { offersWithdrawal } from "~/domain/shop/country-law"
import { type Footer, footerIn, type Legal } from "~/domain/shop/legal"
import { ownsService } from "~/flows/services/accessible-services.server"
import { dateTimeText } from "~/ui/layout/format"
import { stylesFor } from "~/ui/style/style.server"
import type { ShopView } from "./document"

/** The shop's time in the language of the request. */
function timeOf(context: RouteContext): string {
  const { now, shop } = context.get(servicesContext)
  return dateTimeText(now(), context.get(localeContext), shop.timeZone)
}

/** A buyer may be abroad: the page is there for all as soon as one country has it. */
function withWithdrawal({ law }: Legal, footer: Footer, locale: Locale): Footer {
  if (!offersWithdrawal(law)) return footer
  const href = `${BASE}${localPath(locale, withdrawalPath)}`
  return { seller: footer.seller, links: footer.links.concat({ page: "withdrawal", href }) }
}

/** The shop and the visitor's state for the page of this request. */
export async function shopView(context: RouteContext): Promise<ShopView> {
  const session = context.get(sessionContext)
  const services = context.get(servicesContext)
  const { brand, logo, publicUrl, testMode, legal, links } = services.shop
  const locale = context.get(localeContext).code
  return {
    name: brand.name,
    publicUrl,
    testMode,
    title: titleIn(brand, locale),
    footer: withWithdrawal(legal, footerIn(legal, links.support, locale), context.get(localeContext)),
    shopTime: services.clockAhead() === 0 ? null : timeOf(context),
    logo: logo && {
      path: logo.path,
      width: logo.width,
      height: logo.height,
      withName: logo.withName,
      isForDark: logo.isForDark,
    },
    themeColours: stylesFor(brand.colours).themeColours,
    account: session.customer?.email ?? null,
    ownsService: await ownsService(services, session),
    remembers:
      session.customer === null &&
      (leadsToSomething(session) || session.choices.email !== null || session.pendingSignIn !== null),
    ...(session.passwordEnded && { passwordEnded: true }),
  }
}
