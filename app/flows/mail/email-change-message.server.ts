import type { MailToSend } from "~/billing/mail-repository"
import type { LoggedServices } from "~/context/services.server"
import { DAY, MINUTE } from "~/domain/calendar"
import { EMAIL_CODE_PERIOD, EMAIL_UNDO_PERIOD, stageOf } from "~/domain/customers/email-change"
import { defaultLocale, localeOfCode, pageUrl } from "~/domain/locales"
import { emailChangeLinkPath } from "~/domain/orders/screen-paths"
import type { MessageContent } from "~/mail/message"
import { emailChangeCode, emailChangeToken } from "~/security/email-change-codes.server"

type MessageServices = Pick<LoggedServices, "emailChanges" | "signer" | "shop" | "now">
type ContentOf<Name> = Extract<MessageContent, { name: Name }>

/** The message to the new address: its code, unless another customer has it. Null once the change is no longer open. */
export async function addressCode(
  { emailChanges, signer, now }: MessageServices,
  { requestId }: MailToSend,
): Promise<ContentOf<"address-code"> | null> {
  const change = requestId === null ? null : await emailChanges?.find(requestId)
  if (!emailChanges || !change || stageOf(change, now()) !== "open") return null
  const isAvailable = await emailChanges.isAvailable(change.newEmail, change.customerId)
  return {
    name: "address-code",
    code: isAvailable ? emailChangeCode(signer, change.id) : null,
    codeMinutes: EMAIL_CODE_PERIOD / MINUTE,
  }
}

/** The message to the present address. Null if the change has been replaced or reverted: then there is nothing to stop. */
export async function addressRequested(
  services: MessageServices,
  mail: MailToSend,
): Promise<ContentOf<"address-requested"> | null> {
  const change = mail.requestId === null ? null : await services.emailChanges?.find(mail.requestId)
  if (!change || change.endedAt !== null) return null
  const { newEmail: newAddress, createdAt: at } = change
  return { name: "address-requested", newAddress, at, url: linkOf(services, mail, change.id) }
}

/** The message to both addresses after the change; `requestId` leads to the change that the former address can undo. */
export function addressChanged(services: MessageServices, mail: MailToSend): ContentOf<"address-changed"> {
  return {
    name: "address-changed",
    newAddress: mail.detail ?? "",
    at: mail.enqueuedAt,
    undoUrl: mail.requestId === null ? null : linkOf(services, mail, mail.requestId),
    undoDays: EMAIL_UNDO_PERIOD / DAY,
  }
}

function linkOf({ signer, shop }: MessageServices, { locale }: MailToSend, changeId: string): string {
  const path = emailChangeLinkPath(emailChangeToken(signer, changeId))
  return pageUrl(shop.publicUrl, localeOfCode(locale) ?? defaultLocale, path)
}
