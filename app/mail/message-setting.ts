import { BASE } from "~/domain/base-path"
import type { Instant } from "~/domain/calendar"
import { defaultLocale, type LocaleCode, localeOfCode, localPath } from "~/domain/locales"
import type { Brand } from "~/domain/shop/brand"
import { footerIn, type Legal } from "~/domain/shop/legal"
import { isForOperator, type MessageName } from "~/domain/shop/mail"
import { type MailTexts, overrideFor } from "~/domain/shop/mail-texts"
import type { ShopLinks } from "~/domain/shop/shop-links"
import type { MessageSetting } from "./message"

/** The operator's settings that a message shows. */
export type ShopInMail = {
  readonly brand: Pick<Brand, "name" | "colours">
  readonly publicUrl: string
  readonly timeZone: string
  readonly links: Pick<ShopLinks, "support">
  readonly mail: MailTexts
  readonly legal?: Legal
}

type Recipient = {
  readonly name: MessageName
  readonly locale: LocaleCode
  readonly now: Instant
  readonly unsubscribeUrl: string | null
}

/** The setting of a message to one recipient. */
export function messageSetting(
  { brand, publicUrl, timeZone, links, mail, legal }: ShopInMail,
  { name, locale, now, unsubscribeUrl }: Recipient,
): MessageSetting {
  const path = localPath(localeOfCode(locale) ?? defaultLocale, "/")
  return {
    locale,
    timeZone,
    now,
    shopName: brand.name,
    shopUrl: `${publicUrl}${BASE}${path}`,
    colours: brand.colours,
    seller: mail.seller,
    supportUrl: links.support,
    legal: legal ? termsAndPrivacy(legal, locale) : [],
    unsubscribeUrl,
    override: isForOperator(name) ? null : overrideFor(mail, name, locale),
  }
}

function termsAndPrivacy(legal: Legal, locale: LocaleCode): NonNullable<MessageSetting["legal"]> {
  return footerIn(legal, null, locale).links.flatMap(({ page, href: url }) =>
    page === "terms" || page === "privacy" ? [{ page, url }] : [],
  )
}
