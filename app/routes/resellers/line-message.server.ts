import { localeContext } from "~/context/locale.server"
import type { RouteContext } from "~/context/route-context"
import { servicesContext } from "~/context/services.server"
import { type Locale, localeOfCode, locales } from "~/domain/locales"
import { lineName } from "~/domain/services/line-list"
import { type LineMessage, messagesAbout } from "~/domain/services/line-message"
import type { Service } from "~/domain/services/service"
import { playlistAddress } from "~/flows/services/show-access.server"
import { type ScreenTexts, screenTexts } from "~/i18n/load-screen-texts.server"
import { dayText } from "~/ui/layout/format"
import type { LineMessageView } from "~/ui/resellers/line-message"

/** Query parameters of the message. */
const LINE = "message"
const ABOUT = "about"
const LANGUAGE = "in"

export function lineMessageQuery({ line, about }: { line: string; about: LineMessage }): string {
  return `${LINE}=${line}&${ABOUT}=${about}#message`
}

/** The message that the page was opened for, ready to be copied; null without one, and for a line of somebody else. */
export function lineMessageView(
  context: RouteContext,
  url: URL,
  lines: readonly Service[],
): LineMessageView | null {
  const line = lines.find(({ id }) => id === url.searchParams.get(LINE))
  if (!line) return null
  const services = context.get(servicesContext)
  const fitting = messagesAbout(line, services.now())
  const about = fitting.find((name) => name === url.searchParams.get(ABOUT)) ?? fitting[0]
  if (about === undefined) return null
  const own = context.get(localeContext)
  const language = localeOfCode(url.searchParams.get(LANGUAGE) ?? "") ?? own
  const link = (changes: Record<string, string>) => {
    const query = new URLSearchParams(url.searchParams)
    query.delete("done")
    for (const [name, value] of Object.entries(changes)) query.set(name, value)
    return `?${query}#message`
  }
  const t = screenTexts(own.code)
  return {
    heading: t("lines.message.heading", { name: lineName(line) }),
    kinds: fitting.map((name) => ({
      text: t(`lines.message.${name}`),
      href: link({ [ABOUT]: name }),
      isCurrent: name === about,
    })),
    kindLabel: t("lines.message.kind"),
    languages: locales
      // Both Englishes say the same.
      .filter(({ code }) => code !== "en-gb")
      .map((locale) => ({
        text: locale.name,
        iso: locale.iso,
        href: link({ [LANGUAGE]: locale.code }),
        isCurrent: languageOf(locale) === languageOf(language),
      })),
    languageLabel: t("lines.message.language"),
    label: t("lines.message.label"),
    note: t("lines.message.note"),
    copy: t("lines.message.copy"),
    copied: t("lines.message.copied"),
    language: language.iso,
    text: messageText(context, line, { about, language }),
  }
}

type Told = { readonly about: LineMessage; readonly language: Locale }

/** What the reseller sends, in the customer's language. */
function messageText(context: RouteContext, line: Service, { about, language }: Told): string {
  const { shop, now } = context.get(servicesContext)
  const { paidUntil, notes } = line
  const t = screenTexts(language.code)
  const name = notes.split("\n", 1)[0] ?? ""
  const greeting = name === "" ? t("lines.message.hello") : t("lines.message.helloName", { name })
  const date = paidUntil === null ? null : dayText(paidUntil, language, shop.timeZone)
  if (about === "login") return `${greeting}\n${loginText(context, line, { t, date })}`
  const isOver = paidUntil !== null && paidUntil <= now()
  return `${greeting}\n${t(isOver ? "lines.message.over" : "lines.message.ending", { date: date ?? "" })}`
}

/** The login details, a line each. */
function loginText(
  context: RouteContext,
  line: Service,
  { t, date }: { t: ScreenTexts; date: string | null },
): string {
  const { username, password, host } = line
  const playlist = playlistAddress(context.get(servicesContext), line)
  const parts = [
    t("lines.message.details"),
    "",
    t("lines.message.username", { username }),
    t("lines.message.password", { password }),
    t("lines.message.server", { server: host ?? "" }),
    playlist && t("lines.message.playlist", { playlist }),
    date && `\n${t("lines.message.until", { date })}`,
  ]
  return parts.filter((part) => part !== null).join("\n")
}

const languageOf = ({ iso }: Locale) => iso.slice(0, 2)
