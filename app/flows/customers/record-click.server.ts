import { BillingError } from "~/billing/billing"
import type { Services } from "~/context/services.server"
import { dayIn } from "~/domain/calendar"

export type AffiliateClick = {
  affiliateId: string
  address: string | null
  userAgent: string | null
  referer: string | null
}

/**
 * Counts a click on an affiliate's link, once per visitor and day. A visitor is known by a keyed hash of his
 * address and browser: cookies are not there at a first visit, and nothing that names him is kept. Books that do
 * not answer cost the affiliate a click and nobody a page.
 */
export async function recordClick(services: Services, click: AffiliateClick): Promise<void> {
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

const LONGEST = 300

/** The page he came from, without its query, which may hold what is nobody's business. */
function pageIn(referer: string | null): string | null {
  if (referer === null || !URL.canParse(referer)) return null
  const { origin, pathname } = new URL(referer)
  return origin === "null" ? null : `${origin}${pathname}`.slice(0, LONGEST)
}
