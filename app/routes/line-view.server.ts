import type { RouterContextProvider } from "react-router"
import { localeContext } from "~/context/locale.server"
import { servicesContext } from "~/context/services.server"
import { HOUR, type Instant } from "~/domain/calendar"
import { type LineFilter, lineFilters, linePage } from "~/domain/line-list"
import { isCancellable } from "~/domain/reseller-credits"
import type { Service } from "~/domain/service"
import { type RenewalTexts, renewalTexts } from "~/i18n/load-renewal-texts.server"
import { dateTimeText, dayText } from "~/ui/layout/format"
import type { LineListView, LineRow } from "~/ui/resellers/line-list"

type Context = Readonly<RouterContextProvider>

/** Query parameters of the list. */
const FILTER = "show"
const PAGE = "page"

/** Notices after a redirect, by the query parameter `done`. */
const notices = { extended: "lines.extended", cancelled: "lines.cancelled" } as const

/** A reseller's lines as the page shows them, with all its texts: see `renewalTexts`. */
export function lineListView(context: Context, url: URL, lines: readonly Service[]): LineListView {
  const locale = context.get(localeContext)
  const { code } = locale
  const { shop, now } = context.get(servicesContext)
  const t = renewalTexts(code)
  const at = now()
  const filter = filterIn(url)
  const shown = linePage(lines, { filter, page: Number(url.searchParams.get(PAGE)) || 1, at })
  const cancelWithin = (shop.terms?.lineCancelHours ?? 0) * HOUR
  const until = (end: Instant) => dateTimeText(end, locale, shop.timeZone)
  return {
    notice: noticeIn(url, t),
    filters: lineFilters.map((name) => ({
      text: t(`lines.filter.${name}`),
      href: query({ filter: name, page: 1 }),
      isCurrent: name === filter,
    })),
    filterLabel: t("lines.filterLabel"),
    empty: t("lines.empty"),
    extend: t("lines.extend"),
    pages: pagesOf(t, { ...shown, filter }),
    rows: shown.lines.map((line): LineRow => {
      const name = line.notes.split("\n")[0] || line.username
      const { paidUntil, term } = line
      return {
        id: line.id,
        name,
        username: line.username,
        status: line.status,
        end:
          paidUntil === null
            ? null
            : t("lines.paidUntil", { date: dayText(paidUntil, locale, shop.timeZone) }),
        select: isExtendable(line) ? t("lines.select", { name }) : null,
        cancel:
          term !== null && isCancellable(line, { at, cancelWithin })
            ? {
                summary: t("lines.cancel"),
                lead: t("lines.cancelLead", { time: until(term.anchor + cancelWithin) }),
                confirm: t("lines.cancelConfirm"),
              }
            : null,
      }
    }),
  }
}

/** Address of the list after a change: the same part of it, with a notice. */
export function afterLineChange(url: URL, done: keyof typeof notices): string {
  const page = Number(url.searchParams.get(PAGE)) || 1
  return `${query({ filter: filterIn(url), page })}&done=${done}#line`
}

/** Notice of a change that was refused. */
export function refusedLineChange(context: Context, change: "extend" | "cancel"): string {
  const t = renewalTexts(context.get(localeContext).code)
  return t(change === "extend" ? "lines.notExtended" : "lines.notCancelled")
}

/** A line of an external billing has an end, but no term that the shop could extend. */
function isExtendable({ status, term, suspension }: Service): boolean {
  if (term === null || status === "Pending" || status === "Cancelled") return false
  return suspension === null || suspension.owner === "non-payment"
}

function filterIn(url: URL): LineFilter {
  return lineFilters.find((name) => name === url.searchParams.get(FILTER)) ?? "all"
}

function noticeIn(url: URL, t: RenewalTexts): string | null {
  const done = url.searchParams.get("done")
  if (done !== "extended" && done !== "cancelled") return null
  return t(notices[done])
}

type Place = { readonly filter: LineFilter; readonly page: number }

const query = ({ filter, page }: Place) => `?${FILTER}=${filter}&${PAGE}=${page}`

/** Null: there is one page only. */
function pagesOf(t: RenewalTexts, { filter, page, pages }: Place & { pages: number }): LineListView["pages"] {
  if (pages === 1) return null
  const link = (to: number) => (to < 1 || to > pages ? null : query({ filter, page: to }))
  return {
    label: t("lines.page", { page: String(page), pages: String(pages) }),
    previous: { text: t("lines.previous"), href: link(page - 1) },
    next: { text: t("lines.next"), href: link(page + 1) },
  }
}
