import type { DunningMessage } from "~/domain/mail"
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
    preview: t("end.service-terminated.preview", gaps),
    blocks: [
      paragraph(t("end.service-terminated.lead", gaps)),
      paragraph(t("end.service-terminated.next")),
      button(t("end.service-terminated.action"), url),
    ],
    receipt: null,
    reason: "service",
  }
}

function gapsOf({ product, paidUntil, suspension, termination }: ServiceInMail, { moment }: Writing) {
  return {
    product,
    end: moment(paidUntil),
    suspension: moment(suspension),
    termination: moment(termination),
  }
}
