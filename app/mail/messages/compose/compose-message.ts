import { isForOperator, type OperatorMessage } from "~/domain/shop/mail"
import type { MessageContent, MessageSetting } from "../../message"
import type { Closing, MessageDocument } from "../message-document"
import { type Writing, writingFor } from "../writing"
import {
  addressChanged,
  addressCode,
  addressRequested,
  creditsLow,
  passwordChanged,
  signIn,
} from "./account-messages"
import type { Composed, ContentOf } from "./composed"
import { operatorMessage } from "./operator-message"
import {
  accountCredit,
  invoiceReplaced,
  orderExpired,
  orderReleased,
  orderUnpaid,
  partlyPaid,
  paymentReceived,
  receipt,
  refund,
  withdrawal,
} from "./order-messages"
import { aboutEnd, daysGiven, priceAnnounced, serviceTerminated } from "./service-messages"

type ContentForOperator = ContentOf<OperatorMessage>
type ContentForCustomer = Exclude<MessageContent, ContentForOperator>

/** Maximum length of a subject: mailboxes cut longer ones. */
const SUBJECT_LENGTH = 78

/** A message as data, in the language of its recipient. */
export function composeMessage(content: MessageContent, setting: MessageSetting): MessageDocument {
  const document = isToOperator(content)
    ? operatorMessage(content, setting)
    : customerMessage(content, writingFor(setting))
  return { ...document, subject: oneLine(document.subject) }
}

function isToOperator(content: MessageContent): content is ContentForOperator {
  return isForOperator(content.name)
}

function customerMessage(content: ContentForCustomer, writing: Writing): MessageDocument {
  const { locale, t, setting } = writing
  const { shopName: shop, override } = setting
  const { subject, reason, ...composed } = compose(content, writing)
  return {
    ...composed,
    locale,
    shopName: shop,
    subject: override?.subject ?? subject,
    heading: subject,
    closing: closingOf(composed, writing),
    footer: {
      reason: t(`footer.${reason}`, { shop }),
      seller: setting.seller,
      shop: { label: shop, url: setting.shopUrl },
      legal: (setting.legal ?? []).map(({ page, url }) => ({ label: t(`footer.${page}`), url })),
      unsubscribe:
        setting.unsubscribeUrl === null
          ? null
          : { label: t("footer.unsubscribe"), url: setting.unsubscribeUrl },
    },
  }
}

/** The operator's paragraph, or the question that the link to support answers; no link if the button is the same. */
function closingOf({ blocks }: Pick<Composed, "blocks">, { t, setting }: Writing): Closing {
  const { override, supportUrl } = setting
  const isButton = blocks.some((it) => it.kind === "button" && it.url === supportUrl)
  const support = supportUrl === null || isButton ? null : { label: t("closing.support"), url: supportUrl }
  return { text: override?.paragraph ?? (support && t("closing.question")), support }
}

function compose(content: ContentForCustomer, writing: Writing): Composed {
  switch (content.name) {
    case "receipt":
    case "new-reseller":
      return receipt(content, writing)
    case "payment-received":
      return paymentReceived(content, writing)
    case "partly-paid":
      return partlyPaid(content, writing)
    case "order-expired":
      return orderExpired(content, writing)
    case "order-unpaid":
      return orderUnpaid(content, writing)
    case "order-released":
      return orderReleased(content, writing)
    case "withdrawal":
      return withdrawal(content, writing)
    case "account-credit":
      return accountCredit(content, writing)
    case "refund":
      return refund(content, writing)
    case "invoice-replaced":
      return invoiceReplaced(content, writing)
    case "sign-in":
      return signIn(content, writing)
    case "password-changed":
      return passwordChanged(content, writing)
    case "address-code":
      return addressCode(content, writing)
    case "address-requested":
      return addressRequested(content, writing)
    case "address-changed":
      return addressChanged(content, writing)
    case "credits-low":
      return creditsLow(content, writing)
    case "price-announced":
      return priceAnnounced(content, writing)
    case "days-given":
      return daysGiven(content, writing)
    case "service-terminated":
      return serviceTerminated(content, writing)
    case "renewal-reminder":
    case "renewal-due":
    case "service-suspended":
    case "termination-notice":
      return aboutEnd(content, writing)
  }
}

/** A subject is a header: it has no line breaks, whatever a name in it has. */
function oneLine(subject: string): string {
  const text = subject.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim()
  const letters = [...text]
  return letters.length > SUBJECT_LENGTH
    ? `${letters
        .slice(0, SUBJECT_LENGTH - 1)
        .join("")
        .trimEnd()}…`
    : text
}
