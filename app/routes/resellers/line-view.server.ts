import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { selectedLinesContext } from "~/context/selected-lines.server"
import { servicesContext } from "~/context/services.server"
import { BASE } from "~/domain/base-path"
import { HOUR } from "~/domain/calendar"
import { linesPath } from "~/domain/orders/screen-paths"
import { hasEnded, type LineFilter, lineFilters, lineName, linePage } from "~/domain/services/line-list"
import { messagesAbout } from "~/domain/services/line-message"
import { renewable } from "~/domain/services/renewal"
import { CREDITS_PER_LINE, isCancellable, type LineOnCredit } from "~/domain/services/reseller-credits"
import type { Service } from "~/domain/services/service"
import { endOfTerm, withCycles } from "~/domain/services/term"
import type { ResellerAccess } from "~/flows/resellers/show-reseller.server"
import { type ScreenTexts, screenTexts } from "~/i18n/load-screen-texts.server"
import { dateTimeText, dayText, shortDayText } from "~/ui/layout/format"
import type { LineListView, LineRow } from "~/ui/resellers/line-list"
import { screenHref } from "../screen-href.server"
import { creditWorth } from "./credit-worth.server"
import { lineMessageQuery } from "./line-message.server"

/** Query parameters of the list. */
const FILTER = "show"
const PAGE = "page"
const LINE_SEARCH = "find"

/** Query parameter with the id of the line that was just created. */
const MADE = "made"

/** Longest search: notes of a line are not longer. */
const SEARCH_LENGTH = 100

/** Query parameter with the order of the extension that was just made. */
const EXTENSION = "extension"

/** Notices after a redirect, by the query parameter `done`. */
const notices = {
  cancelled: "lines.cancelled",
  "cancelled-owed": "lines.cancelledOwed",
} as const

export type LineChange = keyof typeof notices

/** A reseller's lines as the page shows them, with all its texts: see `screenTexts`. */
export async function lineListView(
  context: RouteContext,
  url: URL,
  { lines, service, resellerCredits }: Pick<ResellerAccess, "lines" | "service" | "resellerCredits">,
): Promise<LineListView> {
  const { code } = context.get(localeContext)
  const { billing, now } = context.get(servicesContext)
  const t = screenTexts(code)
  const place = placeIn(url)
  const { search, filter } = place
  const shown = linePage(lines, { ...place, at: now(), first: url.searchParams.get(MADE) })
  const onCredit = await billing.linesOnCredit(
    service.customerId,
    shown.lines.map(({ id }) => id),
  )
  const ended = shown.lines.filter(hasEnded).map(({ id }) => id)
  const endedEarly = await billing.linesEndedEarly(service.customerId, ended)
  return {
    lead: await creditWorth(context, service.currency),
    notice: extensionIn(url, resellerCredits, t) ?? noticeIn(url, t),
    search: {
      name: LINE_SEARCH,
      label: t("lines.search"),
      submit: t("lines.searchSubmit"),
      value: search,
      filter: { name: FILTER, value: filter },
    },
    filters: lineFilters.map((name) => ({
      text: t(`lines.filter.${name}`),
      count: shown.counts[name],
      href: query({ filter: name, page: 1, search }),
      isCurrent: name === filter,
    })),
    filterLabel: t("lines.filterLabel"),
    file: { text: t("lines.file.download"), href: `${BASE}${screenHref(context, linesPath)}` },
    order: t("lines.order"),
    hasLines: lines.length > 0,
    empty: t(lines.length === 0 ? "lines.none" : "lines.empty"),
    extend: t("lines.extend"),
    pages: pagesOf(t, { filter, search, page: shown.page, pages: shown.pages }),
    rows: shown.lines.map((line) =>
      lineRow(context, line, {
        here: query({ filter, search, page: shown.page }),
        onCredit: onCredit.get(line.id) ?? null,
        endedEarly: endedEarly.has(line.id),
      }),
    ),
  }
}

type Listed = {
  /** Query of the list. */
  readonly here: string
  /** Null: no credit extends it, or gives one back. */
  readonly onCredit: LineOnCredit | null
  /** It has ended before the end of its paid time. */
  readonly endedEarly: boolean
}

/** One line of the list. */
function lineRow(context: RouteContext, line: Service, { here, onCredit, endedEarly }: Listed): LineRow {
  const locale = context.get(localeContext)
  const { shop, now } = context.get(servicesContext)
  const t = screenTexts(locale.code)
  const at = now()
  const name = lineName(line)
  // What was paid after the end of a line, as of one that was cancelled, says nothing of it.
  const paidUntil = endedEarly ? null : line.paidUntil
  const [about] = messagesAbout(line, at)
  return {
    id: line.id,
    name,
    username: name === line.username ? null : line.username,
    status: line.status,
    device: line.deviceAddress,
    end:
      paidUntil === null ? null : t("lines.paidUntil", { date: dayText(paidUntil, locale, shop.timeZone) }),
    select: onCredit ? t("lines.select", { name }) : null,
    isSelected: context.get(selectedLinesContext).includes(line.id),
    extend: onCredit && extensionOf(context, line),
    message:
      about === undefined
        ? null
        : { text: t("lines.message.open"), href: `${here}&${lineMessageQuery({ line: line.id, about })}` },
    cancel: onCredit && cancellationOf(context, { ...line, ...onCredit }),
  }
}

/** The button that extends one line. What runs is extended from its end, so the new end is known; else from the press. */
function extensionOf(context: RouteContext, line: Service): string {
  const locale = context.get(localeContext)
  const { shop, now } = context.get(servicesContext)
  const t = screenTexts(locale.code)
  const running = renewable(line)
  if (running === null || running.paidUntil < now()) return t("lines.extendOne")
  const until = endOfTerm(withCycles(running.term, 1), running.cycle)
  return t("lines.extendTo", { date: shortDayText(until, locale, shop.timeZone) })
}

function cancellationOf(context: RouteContext, line: Service & LineOnCredit): LineRow["cancel"] {
  const locale = context.get(localeContext)
  const { shop, now } = context.get(servicesContext)
  const { term } = line
  const cancelWithin = (shop.terms?.lineCancelHours ?? 0) * HOUR
  if (term === null || !isCancellable(line, { at: now(), cancelWithin })) return null
  const t = screenTexts(locale.code)
  return {
    summary: t(line.isOwed ? "lines.cancelOwed" : "lines.cancel"),
    lead: t(line.isOwed ? "lines.cancelOwedLead" : "lines.cancelLead", {
      time: dateTimeText(term.anchor + cancelWithin, locale, shop.timeZone),
    }),
    confirm: t("lines.cancelConfirm"),
  }
}

/** Address of the list after a line was created, which comes first there: in a long list it would be on another page. */
export function afterNewLine(serviceId: string): string {
  return `?done=line&${MADE}=${serviceId}`
}

/** Address of the list after an extension: the same part of it, with a notice that says which lines. */
export function afterExtension(url: URL, orderId: string): string {
  return `${query(placeIn(url))}&${EXTENSION}=${orderId}#line`
}

/** Address of the list after a cancellation: the same part of it, with a notice. */
export function afterLineChange(url: URL, done: LineChange): string {
  return `${query(placeIn(url))}&done=${done}#line`
}

const refusals = {
  extend: "lines.notExtended",
  held: "lines.extensionHeld",
  cancel: "lines.notCancelled",
  "too-many": "lines.cancelTooMany",
} as const

/** Notice of a change that was refused; `held`: an extension, since the reseller's orders are on hold; `too-many`: a cancellation. */
export function refusedLineChange(context: RouteContext, change: keyof typeof refusals): string {
  return screenTexts(context.get(localeContext).code)(refusals[change])
}

function placeIn({ searchParams }: URL): ListPosition {
  return {
    filter: lineFilters.find((name) => name === searchParams.get(FILTER)) ?? "all",
    page: Number(searchParams.get(PAGE)) || 1,
    search: (searchParams.get(LINE_SEARCH) ?? "").slice(0, SEARCH_LENGTH),
  }
}

function noticeIn(url: URL, t: ScreenTexts): string | null {
  const done = url.searchParams.get("done") ?? ""
  return Object.hasOwn(notices, done) ? t(notices[done as LineChange]) : null
}

/** What an extension has extended. Null: the address names none, or none of the latest. */
function extensionIn(
  { searchParams }: URL,
  resellerCredits: ResellerAccess["resellerCredits"],
  t: ScreenTexts,
): string | null {
  const orderId = searchParams.get(EXTENSION)
  const extension = resellerCredits?.movements.find(
    ({ cause, reference }) => cause === "extension" && reference === orderId,
  )
  if (!extension?.names) return null
  const { amount, names } = extension
  return t("lines.extended", { count: -amount / CREDITS_PER_LINE, names })
}

type ListPosition = { readonly filter: LineFilter; readonly page: number; readonly search: string }

function query({ filter, page, search }: ListPosition): string {
  const found = search === "" ? "" : `&${new URLSearchParams({ [LINE_SEARCH]: search })}`
  return `?${FILTER}=${filter}&${PAGE}=${page}${found}`
}

/** Null: there is one page only. */
function pagesOf(
  t: ScreenTexts,
  { filter, search, page, pages }: ListPosition & { pages: number },
): LineListView["pages"] {
  if (pages === 1) return null
  const link = (to: number) => (to < 1 || to > pages ? null : query({ filter, search, page: to }))
  return {
    label: t("lines.page", { page: String(page), pages: String(pages) }),
    previous: { text: t("lines.previous"), href: link(page - 1) },
    next: { text: t("lines.next"), href: link(page + 1) },
  }
}
