import type { Cycle } from "~/domain/billing-cycle"
import type { Instant } from "~/domain/calendar"
import type { ProductKind } from "~/domain/catalogue"
import type { Credentials } from "~/domain/credentials"
import type { AccessScope } from "~/domain/customer"
import type { GatewayId } from "~/domain/gateway-id"
import type { LocaleCode } from "~/domain/locales"
import type { CreditScope } from "~/domain/order"
import type { Quote } from "~/domain/pricing"

export type NewOrder = {
  /** One-time key of the draft: the same key never makes a second order. */
  key: string
  /** `plan` or `reseller`: what the quoted product is. */
  kind: ProductKind
  customerId: string
  /** What whoever orders has proven to be the customer's; null: nothing. */
  accessScope: AccessScope | null
  /** What of the customer's account credit may pay it. */
  creditScope: CreditScope
  /**
   * Why it is held as suspicious, decided before it is written; null: it is not. Held: nothing can be paid for it, it
   * uses no code and no credit and sets nothing up, also where nothing is owed for it.
   */
  holdReason: string | null
  quote: Quote
  /** The cycle the quoted plan is paid for. */
  cycle: Cycle
  promoCode: string | null
  gateway: GatewayId
  locale: LocaleCode
  address: string | null
  /** The random name of the browser that orders; null where there is none. */
  browser: string | null
  /** The address is the operator's stand-in, because nobody knows the real one: told in the timeline. */
  isFallbackAddress: boolean
  /** The affiliate whose link brought the buyer (spec: affid). */
  affiliateId: string | null
  connections: number
  /** Chosen before the panel is asked, so that a repeated set-up makes the same line. */
  credentials: Credentials
  /** The number the order gets unless it is already taken. */
  number: () => string
  at: Instant
  deadline: Instant
}

export type NewUpsell = Pick<
  NewOrder,
  | "key"
  | "customerId"
  | "accessScope"
  | "creditScope"
  | "holdReason"
  | "quote"
  | "gateway"
  | "locale"
  | "address"
  | "browser"
  | "number"
  | "at"
  | "deadline"
> & { serviceId: string; quantity: number }
