import { BillingError } from "~/billing/billing"
import type { ExternalOrder } from "~/billing/external/external-orders"
import { planIdIn, promoCodeIn } from "~/domain/catalogue/pricing"
import type { FormFields } from "~/http/form-client.server"
import { valueFor } from "../catalogue/option-values"
import type { WhmcsConfigOption, WhmcsProduct } from "../catalogue/product-schema"
import { encodedMap } from "../client/encoded-map"
import { fieldNamed } from "../services/service-schema"
import type { WhmcsSettings } from "../settings"
import { noteOf } from "./order-mark"

/**
 * Parameters of AddOrder for one product; WHMCS 8.6 and later require arrays, see
 * https://developers.whmcs.com/api-reference/addorder/.
 */
export function orderParams(
  order: ExternalOrder,
  product: WhmcsProduct,
  settings: WhmcsSettings,
): FormFields {
  const { kind, customerId: clientid, gateway, affiliateId, address, quote } = order
  const fields = accessFields(order, product, settings)
  const options = optionsOf(order, product)
  return {
    clientid,
    paymentmethod: gateway,
    pid: [product.pid],
    billingcycle: [cycleOf(order, product)],
    ...(fields.size > 0 && { customfields: [encodedMap(fields)] }),
    ...(options.size > 0 && { configoptions: [encodedMap(options)] }),
    promocode: promoCodeIn(quote.lines),
    affid: affiliateId,
    clientip: address,
    // WHMCS's own emails would show its price, before `adjustInvoiceTotal`, and link to its payment page.
    noemail: true,
    noinvoiceemail: true,
    notes: noteOf(order),
    ...(kind === "line" && { noinvoice: true, priceoverride: ["0.00"] }),
  }
}

/** The product id of an order's plan. Throws `BillingError` "refused" for an order without a plan. */
export function planIdOf({ quote }: Pick<ExternalOrder, "quote">): string {
  const planId = planIdIn(quote.lines)
  if (planId === null) throw new BillingError("refused", "Invalid order: no plan line")
  return planId
}

function cycleOf({ cycle }: ExternalOrder, { paytype }: WhmcsProduct): string {
  if (paytype === "recurring") return cycle
  return paytype === "free" ? "free" : "onetime"
}

/** The generated credentials, for products with custom fields for them. */
function accessFields(
  { credentials }: ExternalOrder,
  { customfields }: WhmcsProduct,
  { fields }: WhmcsSettings,
): Map<string, string> {
  const values = [
    [fieldNamed(customfields, fields.username), credentials.username],
    [fieldNamed(customfields, fields.password), credentials.password],
  ] as const
  return new Map(values.flatMap(([field, value]) => (field ? [[field.id, value] as const] : [])))
}

function optionsOf({ quote }: ExternalOrder, product: WhmcsProduct): Map<string, string> {
  const taken = quote.lines.flatMap((line) => ("optionId" in line ? [line] : []))
  return new Map(
    taken.map((line) => {
      const option = product.configoptions.find(({ id }) => id === line.optionId)
      const count = line.kind === "moreConnections" ? line.quantity : 1
      const value = option && valueFor(option, count, line.choiceId)
      if (!option || value === null || value === undefined) {
        throw new BillingError(
          "refused",
          `Cannot order WHMCS product ${product.pid}: no valid value for option ${line.optionId}`,
        )
      }
      return [option.id, value]
    }),
  )
}

/**
 * Ordered values of the options of type `quantity`. Some versions of AddOrder store the minimum instead, so they are
 * checked after the order: https://github.com/WHMCS/developer-docs/issues/126
 */
export function quantitiesOf(order: ExternalOrder, product: WhmcsProduct): readonly Quantity[] {
  const values = optionsOf(order, product)
  return product.configoptions.flatMap((option) => {
    const value = values.get(option.id)
    return option.type === "quantity" && value !== undefined ? [{ option, value }] : []
  })
}

export type Quantity = { readonly option: WhmcsConfigOption; readonly value: string }
