import type { Instant } from "~/domain/calendar"
import type { LocaleCode } from "~/domain/locales"
import type { OperatorMessage } from "~/domain/mail"
import type { Money } from "~/domain/money"
import type { OrderKind } from "~/domain/order"
import type { QuoteLine } from "~/domain/pricing"

/** An order as messages show it. */
export type OrderInMail = {
  readonly id: string
  readonly invoiceId: string
  readonly kind: OrderKind
  readonly productName: string
  readonly lines: readonly QuoteLine[]
  readonly total: Money
  readonly received: Money
  /** What is left to pay. */
  readonly due: Money
  readonly gatewayName: string
  readonly placedAt: Instant
  readonly deadline: Instant
  /** When it was paid; null while it is not. */
  readonly paidAt: Instant | null
}

/** What a message says beyond its name. URLs are absolute; a link that signs in is signed and expires. */
export type MessageContent =
  | {
      readonly name: "receipt" | "payment-received" | "new-reseller"
      readonly order: OrderInMail
      readonly url: string
    }
  | {
      readonly name: "partly-paid" | "order-expired" | "order-unpaid"
      readonly order: OrderInMail
      readonly url: string
    }
  | {
      readonly name: "account-credit" | "refund"
      readonly order: OrderInMail
      readonly amount: Money
      readonly url: string
    }
  | {
      readonly name: "sign-in"
      readonly code: string
      readonly codeMinutes: number
      readonly url: string
      readonly linkMinutes: number
    }
  | { readonly name: "password-changed"; readonly at: Instant; readonly url: string }
  /** Sent to both addresses; neither is repeated in full. */
  | { readonly name: "address-changed"; readonly newAddress: string; readonly at: Instant }
  | { readonly name: "credits-low"; readonly left: number; readonly url: string }
  | {
      readonly name: OperatorMessage
      /** Order, gateway or jobs that the message is about. */
      readonly about: string
      /** One sentence with names and numbers; no secret, no personal data beyond the order number. */
      readonly detail: string
      /** Commands that show or mend it. */
      readonly commands: readonly string[]
    }

/** Shop and recipient of a message. */
export type MessageSetting = {
  readonly locale: LocaleCode
  readonly timeZone: string
  readonly shopName: string
  readonly shopUrl: string
  /** Background of buttons and its text colour, as in the page. */
  readonly colour: string
  readonly onColour: string
  /** Absolute URL of support; null without one. */
  readonly supportUrl: string | null
  readonly unsubscribeUrl: string | null
  /** The operator's own subject and paragraph for this message and language, from the shop file. */
  readonly override: MessageOverride | null
}

export type MessageOverride = {
  readonly subject?: string | undefined
  readonly paragraph?: string | undefined
}

/** A message in both forms. */
export type RenderedMessage = { readonly subject: string; readonly html: string; readonly text: string }
