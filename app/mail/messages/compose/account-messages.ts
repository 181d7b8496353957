import type { Block } from "../message-document"
import type { Writing } from "../writing"
import { button, type Composed, type ContentOf, note, paragraph } from "./composed"

/** A code for the browser that asked, and a link for any browser; the link alone if an operator has sent it. */
export function signIn(content: ContentOf<"sign-in">, writing: Writing): Composed {
  const { t, setting } = writing
  const { code, codeMinutes, url, linkMinutes } = content
  if (code === null) return signInLink(content, writing)
  return {
    subject: t("sign-in.subject", { shop: setting.shopName }),
    preview: t("sign-in.preview", { code }),
    blocks: [
      paragraph(t("sign-in.lead")),
      { kind: "code", code },
      note(t("sign-in.codeNote", { count: codeMinutes })),
      paragraph(t("sign-in.or")),
      button(t("sign-in.action"), url),
      note(`${t("sign-in.linkNote", { count: linkMinutes })} ${t("sign-in.warning")}`),
    ],
    receipt: null,
    reason: "sign-in",
  }
}

function signInLink({ url, linkMinutes }: ContentOf<"sign-in">, { t, setting }: Writing): Composed {
  const shop = setting.shopName
  return {
    subject: t("sign-in.subject", { shop }),
    preview: t("sign-in.byOperator", { shop }),
    blocks: [
      paragraph(t("sign-in.byOperator", { shop })),
      button(t("sign-in.action"), url),
      note(`${t("sign-in.linkNote", { count: linkMinutes })} ${t("sign-in.linkWarning")}`),
    ],
    receipt: null,
    reason: "account",
  }
}

export function passwordChanged(
  { at, url }: ContentOf<"password-changed">,
  { t, moment }: Writing,
): Composed {
  return {
    subject: t("password-changed.subject"),
    preview: t("password-changed.preview", { moment: moment(at) }),
    blocks: [
      paragraph(t("password-changed.lead", { moment: moment(at) }), moment(at)),
      paragraph(t("password-changed.next")),
      button(t("password-changed.action"), url),
    ],
    receipt: null,
    reason: "account",
  }
}

/** Sent to the former address and to the new one: neither reads the other in full. */
export function addressChanged(
  content: ContentOf<"address-changed">,
  { t, moment, setting }: Writing,
): Composed {
  const address = abbreviated(content.newAddress)
  const { shopName: shop, supportUrl } = setting
  const help: Block[] = supportUrl === null ? [] : [button(t("address-changed.action"), supportUrl)]
  return {
    subject: t("address-changed.subject"),
    preview: t("address-changed.preview", { address }),
    blocks: [
      paragraph(t("address-changed.lead", { moment: moment(content.at), shop, address }), address),
      paragraph(t("address-changed.next")),
      ...help,
    ],
    receipt: null,
    reason: "account",
  }
}

export function creditsLow({ left, url }: ContentOf<"credits-low">, { t }: Writing): Composed {
  return {
    subject: left === 0 ? t("credits-low.subject.none") : t("credits-low.subject.some", { count: left }),
    preview: t("credits-low.preview"),
    blocks: [paragraph(t("credits-low.lead")), button(t("credits-low.action"), url)],
    receipt: null,
    reason: "account",
  }
}

/** "ana@example.com" as "a…@example.com": enough for its owner to recognise it. */
function abbreviated(address: string): string {
  const at = address.lastIndexOf("@")
  return `${[...address].slice(0, 1).join("")}…${address.slice(at)}`
}
