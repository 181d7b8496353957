import { defaultLocale } from "~/domain/locales"
import type { OperatorMessage } from "~/domain/shop/mail"
import type { MessageSetting } from "../../message"
import type { MessageDocument } from "../message-document"
import { operatorMessageTexts as t } from "../texts"
import { type ContentOf, note, paragraph } from "./composed"

/** Any message to the operator: what happened, the details, and the commands that show or mend it. */
export function operatorMessage(
  { name, about, detail, commands }: ContentOf<OperatorMessage>,
  { shopName: shop, shopUrl }: MessageSetting,
): MessageDocument {
  const heading = t(`message.${name}.heading`, { about })
  return {
    locale: defaultLocale,
    subject: t("common.subject", { shop, heading }),
    preview: detail,
    shopName: shop,
    heading,
    blocks: [
      paragraph(detail),
      note(t(`message.${name}.lead`)),
      ...(commands.length > 0 ? [{ kind: "commands" as const, label: t("common.commands"), commands }] : []),
    ],
    receipt: null,
    closing: { text: null, support: null },
    footer: {
      reason: t("common.reason", { shop }),
      seller: null,
      shop: { label: shop, url: shopUrl },
      legal: [],
      unsubscribe: null,
    },
  }
}
