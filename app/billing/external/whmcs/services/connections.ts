import { BillingError } from "~/billing/billing"
import type { PhpValue } from "~/http/php-serialize"
import { changeFor, countIn, valueFor, valueHeld } from "../catalogue/option-values"
import type { WhmcsConfigOption, WhmcsProduct } from "../catalogue/product-schema"
import type { WhmcsService } from "./service-schema"

/** The first option of a product is the extra connection (spec, section 3). */
function connectionOption({ pid, configoptions }: WhmcsProduct): WhmcsConfigOption {
  const [option] = configoptions
  if (option) return option
  throw new BillingError("refused", `Product ${pid} of WHMCS has no option for more connections`)
}

/** How many connections a service has there beside its first one; null when it does not say. */
export function extraHeld(service: WhmcsService, product: WhmcsProduct): number | null {
  const option = connectionOption(product)
  const held = service.configoptions.find(({ id }) => id === option.id)
  return held ? countIn(held.value) : null
}

/**
 * All options of a service as UpgradeProduct takes them, with so many more connections: what is left out may fall back
 * to its default. Refuses a number that the option has no way to say.
 */
export function upgradeTo(extra: number, service: WhmcsService, product: WhmcsProduct): Map<string, string> {
  const option = connectionOption(product)
  const kept = product.configoptions.flatMap((it): [string, string][] => {
    const value = valueHeld(it, service.configoptions)
    return value === null ? [] : [[it.id, value]]
  })
  return new Map([...kept, [option.id, sayable(option, extra, product)]])
}

/** The change as UpdateClientProduct takes it. */
export function changeTo(extra: number, product: WhmcsProduct): Map<string, PhpValue> {
  const option = connectionOption(product)
  return new Map([[option.id, changeFor(option, sayable(option, extra, product))]])
}

function sayable(option: WhmcsConfigOption, extra: number, { pid }: WhmcsProduct): string {
  const value = valueFor(option, extra, option.options[0]?.id)
  if (value !== null) return value
  throw new BillingError(
    "refused",
    `Option ${option.id} of WHMCS's product ${pid} cannot say ${extra} more connections: make it a quantity`,
  )
}
