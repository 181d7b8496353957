import type { Day, Instant } from "~/domain/calendar"
import type { Country } from "~/domain/customers/country"
import type { FraudVerdict } from "~/domain/orders/fraud"
import type { DeviceAddress } from "~/domain/services/device-address"

/** Port of affiliate clicks and fraud checks. Every call may throw a `BillingError`. */
export interface FraudAndAffiliates {
  /** Records a click on an affiliate link, once per visitor, affiliate and day; false if it was recorded before. */
  recordClick(click: Click): Promise<boolean>
  /**
   * Fraud verdict for an order (billing API: checkFraud): blocks by address, network, country, customer and the devices of the
   * customer's services, and recent unpaid orders by browser, e-mail and network (`ORDER_VELOCITY`). A customer authenticated for
   * the whole account who has paid before is checked against blocks only.
   */
  checkFraud(visitor: Orderer): Promise<FraudVerdict>
  /** Whether the operator has blocked a device: it is registered for no service. */
  isDeviceBlocked(device: DeviceAddress): Promise<boolean>
}

/** Input of the fraud check. */
export type Orderer = {
  readonly address: string | null
  readonly country: Country
  /** Random browser id from a cookie; null if the browser has none. */
  readonly browser: string | null
  /** Customer of the order. `authenticatedAccount`: the session has access level `account`, not `sign-up`. */
  readonly customer: { readonly id: string; readonly authenticatedAccount: boolean } | null
  readonly at: Instant
}

export type Click = {
  affiliateId: string
  /** Pseudonym of the visitor. */
  visitor: string
  /** Day of the shop's calendar. */
  day: Day
  referer: string | null
  at: Instant
}
