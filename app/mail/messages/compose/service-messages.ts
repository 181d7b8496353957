import type { DunningMessage } from "~/domain/mail"
import { serviceName } from "~/ui/layout/plan-name"
import type { ServiceInMail } from "../../message"
import type { Writing } from "../writing"
import { button, type Composed, type ContentOf, note, paragraph } from "./composed"

/** A service ends, is suspended or will be terminated, unless its customer renews it. The date that counts is strong. */
export function aboutEnd(
  { name, service, url }: ContentOf<Exclude<DunningMessage, "service-terminated">>,
  writing: Writing,
): Composed {
  const { t } = writing
  const gaps = gapsOf(service, writing)
  if (service.isLast) return lastTerm({ name, url }, { t, gaps })
  if (service.isTrial && name !== "termination-notice") return trial({ name, service, url }, writing)
  if (service.isDeclined && name === "renewal-due") return notRenewed(url, { t, gaps })
  return {
    subject: t(`end.${name}.subject`, gaps),
    preview: t(`end.${name}.preview`, gaps),
    blocks: [
      paragraph(t(`end.${name}.lead`, gaps), gaps[decisiveDate[name]]),
      button(t("end.renewal-reminder.action"), url),
      note(name === "renewal-reminder" ? reminderNote(service, writing) : t("end.renewal-due.note")),
    ],
    receipt: null,
    reason: "service",
  }
}

/** The end of a free trial, ahead of it and once it has come. */
function trial(
  { name, service, url }: ContentOf<Exclude<DunningMessage, "service-terminated">>,
  writing: Writing,
): Composed {
  const { t } = writing
  const gaps = gapsOf(service, writing)
  const isOver = name !== "renewal-reminder"
  const key = isOver ? "over" : "ahead"
  return {
    subject: t(`end.trial.${key}.subject`, gaps),
    preview: t(`end.trial.${key}.preview`, gaps),
    blocks: [
      paragraph(t(`end.trial.${key}.lead`, gaps), isOver ? gaps.termination : gaps.end),
      button(t("end.trial.action"), url),
      note(isOver ? t("end.renewal-due.note") : reminderNote(service, writing)),
    ],
    receipt: null,
    reason: "service",
  }
}

type Gaps = Pick<Writing, "t"> & { readonly gaps: ReturnType<typeof gapsOf> }

type LastTerm = Pick<ContentOf<Exclude<DunningMessage, "service-terminated">>, "name" | "url">

/** The end of a service whose product is not renewed any more: what it says instead of an offer to renew. */
function lastTerm({ name, url }: LastTerm, { t, gaps }: Gaps): Composed {
  const isOver = name === "service-suspended" || name === "termination-notice"
  const key = isOver ? "over" : "ahead"
  return {
    subject: t(`end.last.${key}.subject`, gaps),
    preview: t("end.last.preview", gaps),
    blocks: [
      paragraph(t(`end.last.${key}.lead`, gaps), isOver ? gaps.termination : gaps.suspension),
      paragraph(t("end.last.next")),
      button(t("end.last.action"), url),
    ],
    receipt: null,
    reason: "service",
  }
}

/** The notice to a customer who has said not to renew: what happens, and no request to pay. */
function notRenewed(url: string, { t, gaps }: Gaps): Composed {
  return {
    subject: t("end.declined.subject", gaps),
    preview: t("end.renewal-due.preview", gaps),
    blocks: [
      paragraph(t("end.declined.lead", gaps), gaps.suspension),
      paragraph(t("end.declined.next")),
      button(t("end.renewal-reminder.action"), url),
      note(t("end.renewal-due.note")),
    ],
    receipt: null,
    reason: "service",
  }
}

/** What happens at the end if the customer does nothing. */
function reminderNote({ renewsFromCredit }: ServiceInMail, { t }: Writing): string {
  return t(renewsFromCredit ? "end.renewal-reminder.fromCredit" : "end.renewal-reminder.note")
}

const decisiveDate = {
  "renewal-reminder": "end",
  "renewal-due": "suspension",
  "service-suspended": "termination",
  "termination-notice": "termination",
} as const

/** The service has ended for good. */
export function serviceTerminated(
  { service, url }: ContentOf<"service-terminated">,
  writing: Writing,
): Composed {
  const { t } = writing
  const gaps = gapsOf(service, writing)
  return {
    subject: t("end.service-terminated.subject"),
    preview: t(service.isTrial ? "end.trial.terminated" : "end.service-terminated.preview", gaps),
    blocks: [
      paragraph(t("end.service-terminated.lead", gaps)),
      paragraph(t("end.service-terminated.next")),
      button(t("end.service-terminated.action"), url),
    ],
    receipt: null,
    reason: "service",
  }
}

/** The operator has announced another price of a service from a day on. */
export function priceAnnounced(
  { product: name, ending, price, from, paidUntil, url }: ContentOf<"price-announced">,
  writing: Writing,
): Composed {
  const { t, day, money, locale } = writing
  const product = serviceName(name, ending, locale)
  const gaps = { product, price: money(price), from: day(from), end: day(paidUntil) }
  return {
    subject: t("priceAnnounced.subject", gaps),
    preview: t("priceAnnounced.preview", gaps),
    blocks: [
      paragraph(t("priceAnnounced.lead", gaps), gaps.price),
      paragraph(t("priceAnnounced.until", gaps)),
      button(t("end.renewal-reminder.action"), url),
      note(t("priceAnnounced.note")),
    ],
    receipt: null,
    reason: "account",
  }
}

/** The operator has given days to a service, such as after an outage. */
export function daysGiven(
  { product: name, ending, days, paidUntil, url }: ContentOf<"days-given">,
  { t, moment, locale }: Writing,
): Composed {
  const unit = { style: "unit", unit: "day", unitDisplay: "long" } as const
  const gaps = {
    product: serviceName(name, ending, locale),
    days: new Intl.NumberFormat(locale.iso, unit).format(days),
    end: moment(paidUntil),
  }
  return {
    subject: t("daysGiven.subject", gaps),
    preview: t("daysGiven.preview", gaps),
    blocks: [
      paragraph(t("daysGiven.lead", gaps), gaps.end),
      button(t("end.service-terminated.action"), url),
      note(t("daysGiven.note")),
    ],
    receipt: null,
    reason: "account",
  }
}

function gapsOf(
  { product: name, ending, paidUntil, suspension, termination }: ServiceInMail,
  { moment, locale }: Writing,
) {
  return {
    product: serviceName(name, ending, locale),
    end: moment(paidUntil),
    suspension: moment(suspension),
    termination: moment(termination),
  }
}
