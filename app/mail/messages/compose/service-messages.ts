import type { DunningMessage } from "~/domain/shop/mail"
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
  if (name === "renewal-reminder") return reminder(service, url, writing)
  if (service.isDeclined && name === "renewal-due") return notRenewed(url, { t, gaps })
  return {
    subject: t(`end.${name}.subject`, gaps),
    preview: t(`end.${name}.preview`, gaps),
    blocks: [
      paragraph(t(`end.${name}.lead`, gaps), gaps[decisiveDate[name]]),
      ...missingNote(name, service, writing),
      button(t("end.renewal-reminder.action"), url),
      note(t("end.renewal-due.note")),
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
      note(isOver ? t("end.renewal-due.note") : trialNote(service, writing)),
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

/** What happens at the end of a free trial if the customer does nothing. */
function trialNote(service: ServiceInMail, { t, money, ...writing }: Writing): string {
  const { fromCredit } = service
  if (!fromCredit) return t("end.renewal-reminder.note")
  const [price, missing] = [money(fromCredit.price), money(fromCredit.missing)]
  return fromCredit.missing.minor === 0
    ? t("end.trial.ahead.covered", { price })
    : t("end.renewal-reminder.missing", { ...gapsOf(service, { t, money, ...writing }), price, missing })
}

/** Ahead of the end: renew it, or how it is renewed from account credit, as far as that covers the price. */
function reminder(service: ServiceInMail, url: string, writing: Writing): Composed {
  const { t, money } = writing
  const { fromCredit } = service
  const gaps = gapsOf(service, writing)
  const said = { subject: t("end.renewal-reminder.subject", gaps), receipt: null, reason: "service" } as const
  const renew = button(t("end.renewal-reminder.action"), url)
  const preview = t("end.renewal-reminder.preview")
  const lead = paragraph(t("end.renewal-reminder.lead", gaps), gaps.end)
  if (!fromCredit) return { ...said, preview, blocks: [lead, renew, note(t("end.renewal-reminder.note"))] }
  const turnOff = note(t("end.renewal-reminder.turnOff"))
  const [price, missing] = [money(fromCredit.price), money(fromCredit.missing)]
  if (fromCredit.missing.minor === 0) {
    const covered = t("end.renewal-reminder.covered.lead", { ...gaps, price })
    return {
      ...said,
      preview: t("end.renewal-reminder.covered.preview"),
      blocks: [paragraph(covered, gaps.end), renew, turnOff],
    }
  }
  const short = t("end.renewal-reminder.missing", { ...gaps, price, missing })
  return { ...said, preview, blocks: [lead, paragraph(short, missing), renew, turnOff] }
}

/** Why a service was not renewed from account credit at its end. */
function missingNote(name: DunningMessage, { fromCredit }: ServiceInMail, { t, money }: Writing) {
  if (name !== "renewal-due" || !fromCredit || fromCredit.missing.minor === 0) return []
  const [price, missing] = [money(fromCredit.price), money(fromCredit.missing)]
  return [paragraph(t("end.renewal-due.missing", { price, missing }), missing)]
}

const decisiveDate = {
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
