import { maskedEmail } from "~/domain/customers/email"
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

/** Sent to the new address of an account: a code, or that the address has an account already. */
export function addressCode(
  { code, codeMinutes }: ContentOf<"address-code">,
  { t, setting }: Writing,
): Composed {
  const shop = setting.shopName
  const about = { receipt: null, reason: "address" } as const
  if (code === null) {
    return {
      ...about,
      subject: t("address-code.takenSubject", { shop }),
      preview: t("address-code.takenPreview"),
      blocks: [paragraph(t("address-code.taken", { shop })), note(t("address-code.takenNote"))],
    }
  }
  return {
    ...about,
    subject: t("address-code.subject", { shop }),
    preview: t("address-code.preview", { code }),
    blocks: [
      paragraph(t("address-code.lead", { shop })),
      { kind: "code", code },
      note(`${t("address-code.codeNote", { count: codeMinutes })} ${t("address-code.warning")}`),
    ],
  }
}

/** Sent to the address that an account has now: it can stop the change. */
export function addressRequested(
  { newAddress, at, url }: ContentOf<"address-requested">,
  { t, moment, setting }: Writing,
): Composed {
  const address = maskedEmail(newAddress)
  return {
    subject: t("address-requested.subject"),
    preview: t("address-requested.preview", { address }),
    blocks: [
      paragraph(
        t("address-requested.lead", { moment: moment(at), shop: setting.shopName, address }),
        address,
      ),
      paragraph(t("address-requested.next")),
      button(t("address-requested.action"), url),
    ],
    receipt: null,
    reason: "account",
  }
}

/** Sent to the former address and to the new one: neither reads the other in full. */
export function addressChanged(content: ContentOf<"address-changed">, writing: Writing): Composed {
  const { t, moment, setting } = writing
  const address = maskedEmail(content.newAddress)
  const shop = setting.shopName
  return {
    subject: t("address-changed.subject"),
    preview: t("address-changed.preview", { address }),
    blocks: [
      paragraph(t("address-changed.lead", { moment: moment(content.at), shop, address }), address),
      ...againstChange(content, writing),
    ],
    receipt: null,
    reason: "account",
  }
}

/** What helps if it was not the customer: the link that undoes the change, or else support, if there is any. */
function againstChange(
  { undoUrl, undoDays }: ContentOf<"address-changed">,
  { t, setting: { supportUrl } }: Writing,
): readonly Block[] {
  if (undoUrl !== null)
    return [
      paragraph(t("address-changed.undoNext", { count: undoDays })),
      button(t("address-changed.undo"), undoUrl),
    ]
  if (supportUrl === null) return []
  return [paragraph(t("address-changed.next")), button(t("address-changed.action"), supportUrl)]
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
