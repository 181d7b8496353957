import { z } from "zod"
import type { Diagnostic } from "~/billing/diagnostic"
import { currencies } from "~/domain/money"
import { listOf, Text } from "../client/response-schema"
import type { Whmcs } from "../context.server"

export async function currencyFindings(whmcs: Whmcs): Promise<readonly Diagnostic[]> {
  const check = "currencies"
  const codes = (await whmcs.currencies.list()).map(({ code }) => code)
  const ours = currencies.filter((currency) => codes.includes(currency))
  if (ours.length === 0) return [{ ok: false, check, message: "none of EUR, GBP and USD is there" }]
  const missing = currencies.filter((currency) => !codes.includes(currency))
  const rest = missing.length === 0 ? "" : `; nothing can be sold in ${missing.join(", ")}`
  return [{ ok: true, check, message: `${ours.join(", ")}${rest}` }]
}

const MethodsAnswer = z.object({ paymentmethods: listOf("paymentmethod", z.object({ module: Text })) })

/** The names of its payment modules that are switched on. */
export async function paymentModules({ api }: Whmcs): Promise<readonly string[]> {
  const { paymentmethods } = await api.read("GetPaymentMethods", {}, MethodsAnswer)
  return paymentmethods.map(({ module }) => module)
}

/** WHMCS takes orders and payments only by modules it knows. */
export async function gatewayFindings(whmcs: Whmcs): Promise<readonly Diagnostic[]> {
  const known = await paymentModules(whmcs)
  return whmcs.settings.gatewayIds.map((id) => {
    if (known.includes(id)) return { ok: true, check: `gateway ${id}`, message: "is a payment module there" }
    const list = known.join(", ") || "none"
    return { ok: false, check: `gateway ${id}`, message: `is no payment module there (it has: ${list})` }
  })
}
