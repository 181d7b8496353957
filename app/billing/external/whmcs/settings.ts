import type { Currency } from "~/domain/money/money"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { ApiSettings } from "./client/api.server"

/** Plans by product group id, or by product ids in display order. */
export type PlanSource = { readonly group: string } | { readonly ids: readonly string[] }

export type WhmcsSettings = ApiSettings & {
  readonly plans: PlanSource
  /** Undefined: no reseller plans are sold. */
  readonly resellerPlans?: PlanSource | undefined
  /** The shop's default currency (`CURRENCY`), unless a visitor's country or account has another one. */
  readonly currency: Currency
  /** Credits (lines) of each reseller plan by product id (`RESELLER_PLAN_CREDITS`); WHMCS has no field for it. */
  readonly resellerCredits: ReadonlyMap<string, number>
  /** Names of the custom fields of products. */
  readonly fields: { readonly username: string; readonly password: string; readonly mac: string }
  /** IANA time zone of WHMCS's dates and times (`WHMCS_TIME_ZONE`). */
  readonly timeZone: string
  /** The shop's time zone, in which due dates are shown; WHMCS's own by default. */
  readonly dueTimeZone?: string
  /** Custom function of the server module that disconnects a line; `recreate`: terminate and recreate the line. */
  readonly restart: string
  /**
   * Custom function of the server module that pushes a new MAC; or `change-package`, or `none` if no push is needed.
   */
  readonly pushMac: string
  readonly countClicks: boolean
  /** WHMCS mails about payments and services, because the shop does not (`MAIL_ORDERS=off`). Default: no. */
  readonly sendsMail?: boolean
  /** The shop's gateways; WHMCS needs a payment module of the same name for each. */
  readonly gatewayIds: readonly GatewayId[]
  /** Line hosts with scheme, by kind of product; WHMCS stores a host name without scheme, or none. */
  readonly hosts: { readonly plan: string | null; readonly reseller: string | null }
}
