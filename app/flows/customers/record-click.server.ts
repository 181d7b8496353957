import { BillingError } from "~/billing/billing"
import type { LoggedServices } from "~/context/services.server"
import { dayIn } from "~/domain/calendar"

export type AffiliateClick = {
  affiliateId: string
  address: string | null
  userAgent: string | null
  referer: string | null
}

/**
 * Records an affiliate click, once per visitor, affiliate and day. The visitor is a keyed hash of address and user agent:
 * a first visit has no cookie, and no personal data is stored. A failing backend loses the click, never the page.
 */
export async function recordClick(services: LoggedServices, click: AffiliateClick): Promise<void> {
  const { billing, shop, signer, now, log } = services
  const at = now()
  try {
    await billing.recordClick({
      affiliateId: click.affiliateId,
      visitor: signer.sign(`visitor ${click.address} ${click.userAgent}`),
      day: dayIn(shop.timeZone, at),
      referer: pageIn(click.referer),
      at,
    })
  } catch (error) {
    if (!(error instanceof BillingError)) throw error
    log.warn({ err: error }, "affiliate click not recorded")
  }
}

const MAX_LENGTH = 300

/** The referring page without its query, which may hold personal data. */
function pageIn(referer: string | null): string | null {
  if (referer === null || !URL.canParse(referer)) return null
  const { origin, pathname } = new URL(referer)
  return origin === "null" ? null : `${origin}${pathname}`.slice(0, MAX_LENGTH)
}
