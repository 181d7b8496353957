import { BASE } from "~/domain/base-path"
import { defaultLocale, type LocaleCode, localeOfCode, localPath } from "~/domain/locales"
import { unsubscribePath } from "~/domain/orders/screen-paths"
import type { Signer } from "~/security/hmac.server"

type Message = { readonly publicUrl: string; readonly locale: LocaleCode; readonly mailId: string }

/**
 * Address that ends reminders to the recipient of a message, for its List-Unsubscribe header (RFC 8058) and its footer. It
 * names the message and not the recipient, and it does not expire: a reader may press it years later.
 */
export function unsubscribeUrl(signer: Signer, { publicUrl, locale, mailId }: Message): string {
  const query = new URLSearchParams({ mail: mailId, key: signer.sign(signedText(mailId)) })
  const path = localPath(localeOfCode(locale) ?? defaultLocale, unsubscribePath)
  return `${publicUrl}${BASE}${path}?${query}`
}

/** The id of the message that an address names; null if the shop has not signed it. */
export function mailIdOfUnsubscribe(signer: Signer, query: URLSearchParams): string | null {
  const mailId = query.get("mail") ?? ""
  return mailId !== "" && signer.verify(signedText(mailId), query.get("key") ?? "") ? mailId : null
}

function signedText(mailId: string): string {
  return `unsubscribe ${mailId}`
}
