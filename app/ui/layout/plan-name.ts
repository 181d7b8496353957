import type { QuoteLine } from "~/domain/catalogue/pricing"
import type { Locale } from "~/domain/locales"
import type { RenewalLine } from "~/domain/services/renewal"
import { monthsText } from "./format"

const duration = /^(\d{1,2}) months?$/i

/** Translates a plan name that is only a duration; other names are the operator's and stay unchanged. */
export function planName(name: string, locale: Locale): string {
  const [, months] = duration.exec(name) ?? []
  return months ? monthsText(Number(months), locale) : name
}

/**
 * A service's plan with what tells it from another one of the same plan: its username, or the end of it. `login`: null where there
 * is no other one.
 */
export function serviceName(name: string, login: string | null, locale: Locale): string {
  const plan = planName(name, locale)
  return login === null ? plan : `${plan} (${login})`
}

/**
 * The lines of an order, its renewals named by what they add: a plan that is named by its duration is not followed by another
 * one. `logins`: see `serviceName`, in the order of the lines, for readers who may know them. `unused`: what the unused time of a
 * plan is called.
 */
export function namedLines(
  lines: readonly QuoteLine[],
  locale: Locale,
  logins: readonly (string | null)[] = [],
  unused: (plan: string) => string = (plan) => plan,
): readonly QuoteLine[] {
  return lines.map((line, at) => {
    if (line.kind === "renewal") return { ...line, name: renewalName(line, locale, logins[at] ?? null) }
    return line.kind === "unusedTime" ? { ...line, name: unused(planName(line.name, locale)) } : line
  })
}

function renewalName({ name, months }: RenewalLine, locale: Locale, login: string | null): string {
  const span = monthsText(months, locale)
  const service = login === null ? "" : ` (${login})`
  return duration.test(name) ? `${span}${service}` : `${name}${service} · ${span}`
}
