import type { Instant } from "~/domain/calendar"
import type { Cycle } from "~/domain/catalogue/billing-cycle"
import type { ProductKind } from "~/domain/catalogue/catalogue"
import type { Quote } from "~/domain/catalogue/pricing"
import type { NewTrial } from "~/domain/catalogue/trial"
import type { BuyerPlace } from "~/domain/customers/country"
import type { AccessScope } from "~/domain/customers/customer"
import type { LocaleCode } from "~/domain/locales"
import type { AccountCreditScope } from "~/domain/orders/order"
import type { SaleTerms } from "~/domain/orders/sale-terms"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { Credentials } from "~/domain/services/credentials"

export type NewOrder = {
  /** Idempotency key of the draft: a repeated key never creates a second order. */
  key: string
  /** Kind of the quoted product. */
  kind: ProductKind
  customerId: string
  /** Access scope of the buyer's session; null: not authenticated. */
  accessScope: AccessScope | null
  /** Account credit that may pay the order. */
  accountCreditScope: AccountCreditScope
  /**
   * Why the order is on hold, decided before it is written; null: it is not. An order on hold is not payable, uses
   * neither promo code nor credit and provisions nothing, even if its total is zero.
   */
  holdReason: string | null
  quote: Quote
  /** Billing cycle of the quoted plan. */
  cycle: Cycle
  promoCode: string | null
  gateway: GatewayId
  locale: LocaleCode
  address: string | null
  /** Random browser id from a cookie; null if the browser has none. */
  browser: string | null
  /** `address` is the configured fallback, because the client's address is unknown; recorded in the timeline. */
  isFallbackAddress: boolean
  /** What applies to the sale by the buyer's country, kept with the order; null: nothing. */
  saleTerms?: SaleTerms | null | undefined
  /** Where the buyer is, for the tax of the order; absent: where the customer is. */
  buyer?: BuyerPlace | undefined
  /** Affiliate whose link the buyer followed (billing API: affid). */
  affiliateId: string | null
  connections: number
  /** A free trial; missing for what is paid. The quote is free then. */
  trial?: NewTrial | undefined
  /** Credits of a reseller plan, which its payment grants. */
  credits?: number | undefined
  /**
   * The credits are for the account that the buyer has in the order's access scope, unless all have ended: no other is opened.
   * Missing: the order opens an account, as all orders of an external billing do.
   */
  addsCredits?: boolean | undefined
  /** See `Order`. */
  isUncounted?: boolean | undefined
  /** Chosen before the panel call, so that a repeated provisioning creates the same line. */
  credentials: Credentials
  /** Generates an order id; called again if the id is taken. */
  number: () => string
  at: Instant
  deadline: Instant
}

export type NewUpsell = Pick<
  NewOrder,
  | "key"
  | "customerId"
  | "accessScope"
  | "accountCreditScope"
  | "holdReason"
  | "quote"
  | "gateway"
  | "locale"
  | "address"
  | "browser"
  | "saleTerms"
  | "buyer"
  | "number"
  | "at"
  | "deadline"
> & { serviceId: string; quantity: number }

export type NewTopUp = Omit<NewUpsell, "quantity"> & {
  /** Most account credit of the customer with the total and those of other payable top-ups, in minor units. */
  max: number
}
