import { z } from "zod"
import type { Diagnostic } from "~/billing/diagnostic"
import { currencies } from "~/domain/money/money"
import { defaultCurrency, type WhmcsCurrency } from "../catalogue/currencies.server"
import { listResponse, Text } from "../client/response-schema"
import type { Whmcs } from "../context.server"

/** Checks that WHMCS has the currency of `CURRENCY`; without it the shop has no prices. */
export async function currencyDiagnostics(whmcs: Whmcs): Promise<readonly Diagnostic[]> {
  const check = "currencies"
  const { currency } = whmcs.settings
  const list = await whmcs.currencies.list()
  const codes = list.map(({ code }) => code)
  if (!codes.includes(currency)) {
    const message = `CURRENCY ${currency} not found, WHMCS has: ${codes.join(", ") || "none"}`
    return [{ ok: false, check, message }]
  }
  const missing = currencies.filter((it) => !codes.includes(it))
  const rest = missing.length === 0 ? "" : `; not available: ${missing.join(", ")}`
  const sold = currencies.filter((it) => codes.includes(it)).join(", ")
  return [{ ok: true, check, message: `${sold}${rest}` }, ...fixedDiscounts(list)]
}

function fixedDiscounts(list: readonly WhmcsCurrency[]): readonly Diagnostic[] {
  if (defaultCurrency(list) !== null) return []
  const message =
    "default currency unknown or not EUR, GBP or USD: promotions of a fixed amount have no effect"
  return [{ ok: null, check: "fixed discounts", message }]
}

const MethodsResponse = listResponse("paymentmethods", "paymentmethod", z.object({ module: Text }))

/** The names of WHMCS's active payment modules. */
export async function paymentModules({ api }: Whmcs): Promise<readonly string[]> {
  const paymentmethods = await api.read("GetPaymentMethods", {}, MethodsResponse)
  return paymentmethods.map(({ module }) => module)
}

/** Checks that each gateway has an active payment module; WHMCS rejects orders and payments with other names. */
export async function gatewayDiagnostics(whmcs: Whmcs): Promise<readonly Diagnostic[]> {
  const known = await paymentModules(whmcs)
  return whmcs.settings.gatewayIds.map((id) => {
    if (known.includes(id)) return { ok: true, check: `gateway ${id}`, message: "payment module found" }
    const list = known.join(", ") || "none"
    return { ok: false, check: `gateway ${id}`, message: `payment module not found (active: ${list})` }
  })
}
