import type { Product } from "~/domain/catalogue/catalogue"
import type { Promotion } from "~/domain/catalogue/promotion"

/** Port of the catalogue. Every call may throw a `BillingError`. */
export interface Catalogue {
  /** Lists all plans for viewers, in catalogue order. The caller decides how many to show. */
  plans(): Promise<readonly Product[]>
  /** Lists all reseller plans, in catalogue order. */
  resellerPlans(): Promise<readonly Product[]>
  /**
   * Lists the gateway modules that billing accepts payments through (billing API: getGateway), without those that an operator
   * has drained: see `GatewayDrains`.
   */
  gateways(): Promise<readonly string[]>
}

/** Port of promotions. Every call may throw a `BillingError`. */
export interface Promotions {
  /**
   * Looks up a promotion by its promo code, ignoring case and surrounding spaces; null if unknown. Does not validate
   * it: see `checkPromotion`. Throws a `CodeRejectedError` if an external billing system says why it rejects the code.
   */
  promotion(code: string): Promise<Promotion | null>
  /** Number of redemptions of a promo code, without those released by cancelled or expired orders; 0 if unknown. */
  promotionUses(code: string): Promise<number>
  /** The same for the orders of one customer. */
  promotionUsesBy(customerId: string, code: string): Promise<number>
}
