import { z } from "zod"
import type { Finding } from "~/billing/diagnostic"
import { currencies } from "~/domain/money"
import { listOf, Text } from "../client/response-schema"
import type { Whmcs } from "../context.server"

export async function currencyFindings(whmcs: Whmcs): Promise<readonly Finding[]> {
  const what = "currencies"
  const codes = (await whmcs.currencies.list()).map(({ code }) => code)
  const ours = currencies.filter((currency) => codes.includes(currency))
  if (ours.length === 0) return [{ ok: false, what, words: "none of EUR, GBP and USD is there" }]
  const missing = currencies.filter((currency) => !codes.includes(currency))
  const rest = missing.length === 0 ? "" : `; nothing can be sold in ${missing.join(", ")}`
  return [{ ok: true, what, words: `${ours.join(", ")}${rest}` }]
}

const MethodsAnswer = z.object({ paymentmethods: listOf("paymentmethod", z.object({ module: Text })) })

/** The names of its payment modules that are switched on. */
export async function paymentModules({ api }: Whmcs): Promise<readonly string[]> {
  const { paymentmethods } = await api.ask("GetPaymentMethods", {}, MethodsAnswer)
  return paymentmethods.map(({ module }) => module)
}

/** WHMCS takes orders and payments only by modules it knows. */
export async function gatewayFindings(whmcs: Whmcs): Promise<readonly Finding[]> {
  const known = await paymentModules(whmcs)
  return whmcs.settings.gatewayIds.map((id) => {
    if (known.includes(id)) return { ok: true, what: `gateway ${id}`, words: "is a payment module there" }
    const list = known.join(", ") || "none"
    return { ok: false, what: `gateway ${id}`, words: `is no payment module there (it has: ${list})` }
  })
}
