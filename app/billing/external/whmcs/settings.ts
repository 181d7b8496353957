import type { GatewayId } from "~/domain/gateway-id"
import type { Currency } from "~/domain/money"
import type { ApiSettings } from "./client/api.server"

/** Plans by their group, or by name in the order in which they are offered. */
export type PlanSource = { readonly group: string } | { readonly ids: readonly string[] }

export type WhmcsSettings = ApiSettings & {
  readonly plans: PlanSource
  /** Undefined: nothing is sold to resellers. */
  readonly resellerPlans?: PlanSource | undefined
  /** The shop's own currency (`CURRENCY`): what visitors pay in unless their country or account says otherwise. */
  readonly currency: Currency
  /** Lines a reseller's plan lets him make, by its id: WHMCS has no place to say it. */
  readonly resellerCredits: ReadonlyMap<string, number>
  /** What the custom fields of its products are called. */
  readonly fields: { readonly username: string; readonly password: string; readonly mac: string }
  /** The zone of its clock. */
  readonly timeZone: string
  /** A function of the server module that ends what is playing; `recreate`: the line is ended and made again. */
  readonly restart: string
  /** A function of the server module that takes a new MAC; `change-package`, or `none` where nothing has to be told. */
  readonly pushMac: string
  readonly countClicks: boolean
  /** The gateways of the shop, which WHMCS has to know by the same names. */
  readonly gatewayIds: readonly GatewayId[]
  /** Where lines are reached, with scheme, by what has been bought: WHMCS names a server without, or none. */
  readonly hosts: { readonly plan: string | null; readonly reseller: string | null }
}
