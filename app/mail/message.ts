import type { Instant } from "~/domain/calendar"
import type { QuoteLine } from "~/domain/catalogue/pricing"
import type { LocaleCode } from "~/domain/locales"
import type { Money } from "~/domain/money/money"
import type { OrderKind } from "~/domain/orders/order"
import type { Declarations } from "~/domain/orders/sale-terms"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { BrandColours } from "~/domain/shop/brand-colours"
import type { DunningMessage, OperatorMessage } from "~/domain/shop/mail"
import type { MessageOverride } from "~/domain/shop/mail-texts"

/** An order as messages show it. */
export type OrderInMail = {
  readonly id: string
  readonly kind: OrderKind
  readonly lines: readonly QuoteLine[]
  readonly total: Money
  /** Confirmed payments less refunds. */
  readonly received: Money
  /** Account credit that paid a part of it, or all; zero if none. */
  readonly usedAccountCredit: Money
  /** What nobody has paid of it, since an operator has waived it; absent: nothing. */
  readonly waived?: Money | undefined
  /** What is left to pay. */
  readonly due: Money
  /** The gateway chosen last. */
  readonly gateway: GatewayId
  /** The operator's name of it; absent or null: the shop's own. */
  readonly methodName?: string | null
  readonly placedAt: Instant
  readonly deadline: Instant
  /** When it was paid; null while it is not. */
  readonly paidAt: Instant | null
  /** End of the paid time of the service that it created; null: none, or not active. */
  readonly paidUntil: Instant | null
  /** That service is a free trial until then. */
  readonly isTrial?: boolean
  /** The services that a paid renewal has extended; empty for other orders. */
  readonly renewed: readonly RenewedInMail[]
  /** Endings of the services that it renews, paid or not, in the order of its lines; empty for other orders. */
  readonly endings: readonly (string | null)[]
  /** The service that extra connections are for; null for other orders. */
  readonly addsTo: Pick<RenewedInMail, "name" | "ending"> | null
  /** When the buyer has withdrawn from it; missing if not. */
  readonly withdrawnAt?: Instant | undefined
  /** What the buyer declared before an order that starts at once; missing without any. */
  readonly declarations?: Declarations | undefined
  /** The tax in the total, by rate; missing without any. */
  readonly taxes?: readonly TaxInMail[] | undefined
  /** The number of its invoice, which is with the receipt on its page; absent: it has none. */
  readonly invoiceNumber?: string | undefined
  /** The invoice that the external billing system has of it; absent or null: none, or it is not known. */
  readonly externalInvoice?: string | null | undefined
}

/** `rate` in basis points; null: not known. `net`: what it is of, where consumers expect prices without tax. */
export type TaxInMail = {
  readonly rate: number | null
  readonly amount: Money
  readonly net?: Money | undefined
}

export type RenewedInMail = {
  readonly name: string
  readonly ending: string | null
  readonly until: Instant
}

/** A service as messages about its end show it. */
export type ServiceInMail = {
  readonly product: string
  /** See `loginEnding`. */
  readonly ending: string | null
  readonly paidUntil: Instant
  /** When it is suspended, or was. */
  readonly suspension: Instant
  /** When it ends for good if nobody renews it. */
  readonly termination: Instant
  /** It is renewed from account credit at its end: the price, and what is missing of it. Null: it is not. */
  readonly fromCredit: { readonly price: Money; readonly missing: Money } | null
  /** Its customer has said not to renew it. */
  readonly isDeclined: boolean
  /** It is a free trial that nobody has paid for. */
  readonly isTrial: boolean
  /** It is not renewed any more: the link leads to what is sold instead. */
  readonly isLast: boolean
}

/** What a message says beyond its name. URLs are absolute; a link that signs in is signed and expires. */
export type MessageContent =
  | {
      readonly name: "receipt" | "payment-received" | "new-reseller"
      readonly order: OrderInMail
      readonly url: string
    }
  | {
      readonly name: "partly-paid" | "order-expired" | "order-unpaid" | "withdrawal"
      readonly order: OrderInMail
      readonly url: string
    }
  | {
      readonly name: "order-released"
      readonly order: OrderInMail
      /** Its price has changed while it was on hold, or a product is gone: the buyer is asked. */
      readonly isChanged: boolean
      readonly url: string
    }
  | {
      readonly name: "account-credit"
      readonly order: OrderInMail
      readonly amount: Money
      /** The timeline event that made it credit. */
      readonly event: "overpaid" | "credited" | "part-credited"
      readonly url: string
    }
  | {
      readonly name: "refund"
      readonly order: OrderInMail
      readonly amount: Money
      /** The buyer has it as account credit. */
      readonly isCredit: boolean
      /** What the order had bought has ended. */
      readonly hasEnded: boolean
      readonly url: string
      /** The provider's page on which the buyer takes the money; null: it is sent. */
      readonly claimUrl: string | null
    }
  | {
      readonly name: "invoice-replaced"
      readonly order: OrderInMail
      /** The tax that is owed back. */
      readonly amount: Money
      readonly url: string
    }
  | {
      readonly name: "sign-in"
      /** Null: an operator has sent the link. */
      readonly code: string | null
      readonly codeMinutes: number
      readonly url: string
      readonly linkMinutes: number
    }
  | { readonly name: "password-changed"; readonly at: Instant; readonly url: string }
  | {
      readonly name: "address-code"
      /** Null: the address is another customer's, and there is none. */
      readonly code: string | null
      readonly codeMinutes: number
    }
  /** Sent to the former address; the new one is not repeated in full. */
  | {
      readonly name: "address-requested"
      readonly newAddress: string
      readonly at: Instant
      /** Stops the change. */
      readonly url: string
    }
  /** Sent to both addresses; neither is repeated in full. */
  | {
      readonly name: "address-changed"
      readonly newAddress: string
      readonly at: Instant
      /** Undoes the change, from the former address; null in the other message, and after a change by the operator. */
      readonly undoUrl: string | null
      readonly undoDays: number
    }
  | { readonly name: "credits-low"; readonly left: number; readonly url: string }
  | {
      readonly name: Exclude<DunningMessage, "service-terminated">
      readonly service: ServiceInMail
      readonly url: string
    }
  | { readonly name: "service-terminated"; readonly service: ServiceInMail; readonly url: string }
  | {
      readonly name: "price-announced"
      readonly product: string
      readonly ending: string | null
      /** Of one cycle. */
      readonly price: Money
      readonly from: Instant
      readonly paidUntil: Instant
      readonly url: string
    }
  | {
      readonly name: "days-given"
      readonly product: string
      readonly ending: string | null
      readonly days: number
      readonly paidUntil: Instant
      readonly url: string
    }
  | {
      readonly name: OperatorMessage
      /** Order, gateway, jobs or operator that the message is about. */
      readonly about: string
      /** One sentence with names and numbers; no secret, no personal data beyond the order number and operators' e-mails. */
      readonly detail: string
      /** Commands that show or mend it. */
      readonly commands: readonly string[]
    }

/** Shop and recipient of a message; `messageSetting` makes it. */
export type MessageSetting = {
  /** Language of the message; an operator's message is in English whatever it is. */
  readonly locale: LocaleCode
  readonly timeZone: string
  /** Time of rendering: a deadline that has passed is not announced. */
  readonly now: Instant
  readonly shopName: string
  readonly shopUrl: string
  readonly colours: BrandColours
  /** Name and postal address of the seller; null if the shop file has none. */
  readonly seller: string | null
  /** Absolute URL of support, or a mailto: one; null without one. */
  readonly supportUrl: string | null
  /** The operator's terms and privacy policy in the recipient's language, as far as there are any. */
  readonly legal?: readonly { readonly page: "terms" | "privacy"; readonly url: string }[]
  /** For reminders: page that ends them. */
  readonly unsubscribeUrl: string | null
  /** The operator's own subject and paragraph for this message and language, from the shop file. */
  readonly override: MessageOverride | null
}

/** A message in both forms. */
export type RenderedMessage = { readonly subject: string; readonly html: string; readonly text: string }
