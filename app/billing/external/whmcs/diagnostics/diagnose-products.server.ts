import type { Diagnostic } from "~/billing/diagnostic"
import type { ProductKind } from "~/domain/catalogue/catalogue"
import { currencies } from "~/domain/money/money"
import { productOf } from "../catalogue/product-mapping"
import type { WhmcsProduct } from "../catalogue/product-schema"
import type { Whmcs } from "../context.server"
import { fieldNamed } from "../services/service-schema"
import type { WhmcsSettings } from "../settings"

/** Lists the products on sale and checks each one: price, custom fields, options or credits, set-up fees. */
export async function productDiagnostics(whmcs: Whmcs, kind: ProductKind): Promise<readonly Diagnostic[]> {
  const { settings, products } = whmcs
  const check = kind === "plan" ? "plans" : "reseller plans"
  const variable = kind === "plan" ? "WHMCS_PLANS" : "WHMCS_RESELLER_PLANS"
  if (kind === "reseller" && !settings.resellerPlans) {
    return [{ ok: null, check, message: `${variable} is not set: no reseller plans` }]
  }
  const listed = await products.listed(kind)
  if (listed.length === 0) return [{ ok: false, check, message: `no product matches ${variable}` }]
  const found = listed.map(({ pid, name }) => `${pid} ${name}`).join(", ")
  return [{ ok: true, check, message: found }, ...listed.flatMap((it) => lacks(it, kind, settings))]
}

function lacks(product: WhmcsProduct, kind: ProductKind, settings: WhmcsSettings): readonly Diagnostic[] {
  const check = `product ${product.pid}`
  const ofKind = kind === "plan" ? extrasOf(product) : resellerCreditsOf(product, settings)
  return [pricesOf(product, kind, settings), fieldsOf(product, settings), ...ofKind, feesOf(product)].flatMap(
    (it) => (it ? [{ check, ...it }] : []),
  )
}

type CheckResult = Omit<Diagnostic, "check"> | null

function pricesOf(product: WhmcsProduct, kind: ProductKind, { currency }: WhmcsSettings): CheckResult {
  const { pricing } = productOf(product, { kind, resellerCredits: new Map() })
  const sold = currencies.filter((it) => (kind === "plan" ? pricing[it] : pricing[it]?.monthly !== undefined))
  if (sold.includes(currency)) return { ok: true, message: `prices in ${sold.join(", ")}` }
  const price = kind === "plan" ? "price" : "monthly price"
  const others = sold.length === 0 ? "" : `, only in ${sold.join(", ")}`
  return { ok: false, message: `no ${price} in CURRENCY ${currency}${others}` }
}

/** GetProducts omits admin-only custom fields, so without "Show on Order Form" they cannot be found. */
function fieldsOf({ customfields, module }: WhmcsProduct, { fields }: WhmcsSettings): CheckResult {
  const missing = Object.values(fields).filter((name) => !fieldNamed(customfields, name))
  if (missing.length === 0) return { ok: true, message: "custom fields found" }
  const message = `custom fields not found: ${missing.join(", ")} ("Show on Order Form" is required)`
  return { ok: module === "" ? false : null, message }
}

function extrasOf({ configoptions }: WhmcsProduct): CheckResult[] {
  const [extra, proxy] = configoptions
  if (!extra) return [{ ok: null, message: "no configurable option: extra connections are not offered" }]
  const names = `extra connection is "${extra.name}" (${extra.type})`
  const second = proxy ? `, proxy protection is "${proxy.name}"` : ", no proxy protection"
  const more = extra.type === "quantity" ? "" : "; only a quantity can be increased later"
  return [{ ok: extra.type === "quantity" ? true : null, message: `${names}${second}${more}` }]
}

function resellerCreditsOf({ pid }: WhmcsProduct, { resellerCredits }: WhmcsSettings): CheckResult[] {
  const lines = resellerCredits.get(pid)
  if (lines !== undefined) return [{ ok: true, message: `${lines} reseller credits` }]
  return [{ ok: false, message: "no reseller credits: set RESELLER_PLAN_CREDITS" }]
}

function feesOf({ pricing }: WhmcsProduct): CheckResult {
  const fees = Object.values(pricing).flatMap((columns) =>
    Object.entries(columns).filter(([column, minor]) => column.endsWith("setupfee") && (minor ?? 0) > 0),
  )
  if (fees.length === 0) return null
  return { ok: null, message: "set-up fees are not charged by this checkout" }
}
