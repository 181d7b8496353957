import { BillingError } from "~/billing/billing"
import type { PhpValue } from "~/http/php-serialize"
import { changeFor, countIn, valueFor, valueHeld } from "../catalogue/option-values"
import type { WhmcsConfigOption, WhmcsProduct } from "../catalogue/product-schema"
import type { WhmcsService } from "./service-schema"

/** The first option of a product is the extra connection (specification, Catalogue). */
function connectionOption({ pid, configoptions }: WhmcsProduct): WhmcsConfigOption {
  const [option] = configoptions
  if (option) return option
  throw new BillingError("refused", `Cannot add connections: WHMCS product ${pid} has no configurable option`)
}

/** The number of extra connections of a service, without its first one; null if WHMCS does not report it. */
export function extraHeld(service: WhmcsService, product: WhmcsProduct): number | null {
  const option = connectionOption(product)
  const held = service.configoptions.find(({ id }) => id === option.id)
  return held ? countIn(held.value) : null
}

/**
 * The options of a service for UpgradeProduct, with `extra` extra connections in total. Contains all options, because
 * WHMCS may reset omitted ones to their default. Throws `BillingError` "refused" if the option has no value for
 * `extra`.
 */
export function upgradeTo(extra: number, service: WhmcsService, product: WhmcsProduct): Map<string, string> {
  const option = connectionOption(product)
  const unchanged = product.configoptions.flatMap((it): [string, string][] => {
    const value = valueHeld(it, service.configoptions)
    return value === null ? [] : [[it.id, value]]
  })
  return new Map([...unchanged, [option.id, quantityValue(option, extra, product)]])
}

/** The same change of the connection option for UpdateClientProduct. */
export function changeTo(extra: number, product: WhmcsProduct): Map<string, PhpValue> {
  const option = connectionOption(product)
  return new Map([[option.id, changeFor(option, quantityValue(option, extra, product))]])
}

function quantityValue(option: WhmcsConfigOption, extra: number, { pid }: WhmcsProduct): string {
  const value = valueFor(option, extra, option.options[0]?.id)
  if (value !== null) return value
  throw new BillingError(
    "refused",
    `Invalid option ${option.id} of WHMCS product ${pid}: no value for ${extra} extra connections, change its type to quantity`,
  )
}
