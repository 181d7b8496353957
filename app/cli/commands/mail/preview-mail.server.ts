import { type Command, UsageError } from "~/cli/command"
import { onDisk, writePrivately } from "~/cli/files.server"
import { shopTexts } from "~/cli/shop-texts.server"
import type { ShopTexts } from "~/config/brand-content.server"
import type { Config } from "~/config/environment.server"
import type { Instant } from "~/domain/calendar"
import { defaultLocale, type Locale, localeOfCode, locales, pageUrl } from "~/domain/locales"
import { classOf, type MessageName, messageNames } from "~/domain/shop/mail"
import type { RenderedMessage } from "~/mail/message"
import { messageSetting, type ShopInMail } from "~/mail/message-setting"
import { exampleContent } from "~/mail/messages/example-content"
import { renderMessage } from "~/mail/messages/render-message.server"

/** Shows a message with example content, in the shop's brand and with the operator's own words. Sends nothing. */
export const previewMail: Command = {
  about: "show a message with example content",
  args: ["NAME"],
  optionalArg: "LOCALE",
  options: { file: "write to a file, instead of standard output" },
  flags: { html: "the HTML", text: "the text (default)" },
  async run({
    billing,
    config,
    args: [name = "", code = defaultLocale.code],
    options: { file },
    flags,
    now,
  }) {
    if (flags.includes("html") && flags.includes("text")) throw new UsageError("Choose --html or --text.")
    const locale = localeNamed(code)
    const { subject, html, text } = previewOf(config, await shopTexts({ billing, config }), {
      name: messageNamed(name),
      locale,
      now,
    })
    const shown = flags.includes("html") ? html : `Subject: ${subject}\n\n${text.trimEnd()}`
    const data = { name, locale: locale.code, subject, text, html, file: file ?? null }
    if (file === undefined) return { text: shown, data }
    await onDisk(writePrivately(file, `${shown}\n`))
    return { text: `Message written to ${file}.`, data }
  },
}

type PreviewedMail = { readonly name: MessageName; readonly locale: Locale; readonly now: Instant }

function previewOf(
  config: Config,
  { brand, links, mail, legal }: ShopTexts,
  { name, locale, now }: PreviewedMail,
): RenderedMessage {
  const shop: ShopInMail = {
    brand,
    publicUrl: config.PUBLIC_URL,
    timeZone: config.TIME_ZONE,
    links,
    mail,
    legal,
  }
  // Every link of a preview leads to the shop: there is no order to see and nothing to unsubscribe from.
  const url = pageUrl(config.PUBLIC_URL, locale, "/")
  const unsubscribeUrl = classOf(name) === "reminder" ? url : null
  const setting = messageSetting(shop, { name, locale: locale.code, now, unsubscribeUrl })
  return renderMessage(exampleContent(name, url, now), setting)
}

function messageNamed(name: string): MessageName {
  const found = messageNames.find((it) => it === name)
  if (found) return found
  throw new UsageError(`Unknown message "${name}". Messages: ${messageNames.join(", ")}.`)
}

function localeNamed(code: string): Locale {
  const locale = localeOfCode(code)
  if (locale) return locale
  throw new UsageError(`Unknown language "${code}". Languages: ${locales.map((it) => it.code).join(", ")}.`)
}
