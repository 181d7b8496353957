import type { Currencies } from "./catalogue/currencies.server"
import type { ProductCatalogue } from "./catalogue/products.server"
import type { WhmcsApi } from "./client/api.server"
import type { WallClock } from "./client/wall-clock"
import type { WhmcsSettings } from "./settings"

/** Dependencies shared by all modules of the WHMCS adapter. */
export type Whmcs = {
  readonly settings: WhmcsSettings
  readonly api: WhmcsApi
  readonly clock: WallClock
  /** Reads due dates, which are days, as days of the shop. */
  readonly dueDays: WallClock
  readonly currencies: Currencies
  readonly products: ProductCatalogue
}
