import type { RequestOf } from "~/billing-api/contract/endpoints"
import type { LoggedServices } from "~/context/services.server"
import type { Cycle } from "~/domain/catalogue/billing-cycle"
import { extraOf, type Plan, type Product, planOf, resellerPlansOffered } from "~/domain/catalogue/catalogue"
import { type Quote, quote } from "~/domain/catalogue/pricing"
import type { Promotion } from "~/domain/catalogue/promotion"
import { type Currency, money, toDecimal } from "~/domain/money/money"
import { validatePromoCode } from "~/flows/checkout/validate-promo-code.server"
import { ApiError } from "./api-error"
import { extrasIn } from "./parse-order.server"
import { isSame } from "./same-amount"

export type AgreedPrice = {
  readonly plan: Plan
  readonly quote: Quote
  readonly promotion: Promotion | null
}

/** Quotes an order. Throws 409 `price-changed` if the total differs from `amount`. */
export async function agreedPrice(
  services: LoggedServices,
  request: RequestOf<"order">,
  product: Product,
): Promise<AgreedPrice> {
  const plan = planFor(product, request)
  if (!plan) throw new ApiError("not-available", "pid: not available in this billing cycle or currency")
  const promotion = await promotionFor(services, request, plan)
  const priced = quote(plan, extrasIn(product, request.configoptions), promotion)
  const { total } = priced
  if (isSame(request.amount, toDecimal(total))) return { plan, quote: priced, promotion }
  throw new ApiError(
    "price-changed",
    `Amount does not match the price: ${toDecimal(total)} ${total.currency}`,
  )
}

async function promotionFor(
  services: LoggedServices,
  { promocode: code, currency }: RequestOf<"order">,
  { id: planId, cycle }: Plan,
) {
  if (code === undefined) return null
  const verdict = await validatePromoCode(services, code, { planId, cycle, currency })
  if (verdict.ok) return verdict.promotion
  if (verdict.reason === "unchecked") throw new ApiError("unavailable", "Promo code could not be checked")
  throw new ApiError("not-available", `promocode: ${verdict.reason}`)
}

/** The plan in the checkout's billing cycle or in the requested one; null if it is not offered in that. */
function planFor(product: Product, { currency, billingcycle }: RequestOf<"order">): Plan | null {
  const offered =
    product.kind === "reseller"
      ? (resellerPlansOffered([product], currency)[0] ?? null)
      : planOf(product, currency)
  if (billingcycle === undefined || billingcycle === offered?.cycle) return offered
  return planOfCycle(product, currency, billingcycle)
}

function planOfCycle(product: Product, currency: Currency, cycle: Cycle): Plan | null {
  const { id, name, payType, pricing, options, kind } = product
  const minor = pricing[currency]?.[cycle]
  if (minor === undefined) return null
  // Reseller plans have no extras.
  const [connection, proxy] = kind === "plan" ? options : []
  return {
    id,
    name,
    payType,
    cycle,
    price: money(minor, currency),
    extraConnection: extraOf(connection, currency, cycle),
    proxyProtection: extraOf(proxy, currency, cycle),
  }
}
