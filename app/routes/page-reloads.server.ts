import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { type Instant, SECOND } from "~/domain/calendar"
import { STILL } from "~/domain/orders/screen-paths"
import { hasReloadedEnough, reloadInterval } from "~/domain/payments/poll-schedule"
import { screenTexts } from "~/i18n/load-screen-texts.server"
import type { ReloadLinkView } from "~/ui/layout/reload-link"

/** How a page without script reloads while the shop is at work. */
type PageReloads = {
  /** Null: it does not reload. */
  readonly refreshSeconds: number | null
  /** Stops that, starts it again, or looks once; null: the page waits for nothing. */
  readonly reloads: ReloadLinkView | null
}

export const noReloads: PageReloads = { refreshSeconds: null, reloads: null }

/**
 * The reloads of a page that waits for the shop since its last news: until a link asks for quiet, and for so long as news is
 * likely. `url`: the page's; its other parameters are kept.
 */
export function pageReloads(
  context: RouteContext,
  url: URL,
  since: Instant,
): PageReloads & { readonly reloads: ReloadLinkView } {
  const t = screenTexts(context.get(localeContext).code)
  const now = context.get(servicesContext).now()
  const query = new URLSearchParams(url.searchParams)
  query.delete(STILL)
  const path = `?${query}`
  if (url.searchParams.has(STILL))
    return { refreshSeconds: null, reloads: { text: t("unpaid.reload"), path } }
  if (hasReloadedEnough(since, now))
    return { refreshSeconds: null, reloads: { text: t("unpaid.check"), path } }
  query.set(STILL, "")
  return {
    refreshSeconds: reloadInterval(since, now) / SECOND,
    reloads: { text: t("unpaid.stopReloading"), path: `?${query}` },
  }
}
