import type { ExternalOrder, ExternalUpsell } from "~/billing/external/external-orders"
import { planIdIn, promoCodeIn, type QuoteLine } from "~/domain/catalogue/pricing"
import type { AccessScope } from "~/domain/customers/customer"
import { toDecimal } from "~/domain/money/money"
import type { RequestParams } from "./api-client.server"
import { chosenValue, type RemoteProduct } from "./product-schema"

/** Encoding of maps in a query: JSON, or PHP serialization in base64. */
export type MapText = (map: ReadonlyMap<string, string>) => string

type Fields = { readonly username: string | null; readonly password: string | null }

/** Parameters of an order (specification, Billing API). The last line contains extras, which an older server ignores. */
export function toOrderRequest(
  order: ExternalOrder,
  known: { product: RemoteProduct | null; fields: Fields },
  text: MapText,
): RequestParams {
  const { customerId, address, country, gateway, affiliateId, quote, email, credentials, cycle } = order
  const { orderId: key, kind, locale, accessScope, connections } = order
  const pid = planIdIn(quote.lines) ?? ""
  return {
    userid: customerId,
    ip: address,
    country,
    paymentmethod: gateway,
    affid: affiliateId,
    email,
    // Reseller plans are ordered as a list (specification, Billing API).
    ...(kind === "reseller" ? { "pid[]": pid } : { pid }),
    promocode: promoCodeIn(quote.lines),
    amount: toDecimal(quote.total),
    currency: quote.total.currency,
    configoptions: text(optionsOf(quote.lines, known.product)),
    customfields: text(fieldsOf(known.fields, credentials)),
    key,
    kind,
    billingcycle: cycle,
    locale,
    connections,
    ...scopeParams(accessScope),
  }
}

/** Parameters of an order for extra connections. `price` is the total. The last line contains extras. */
export function toUpsellRequest(upsell: ExternalUpsell): RequestParams {
  const {
    customerId,
    gateway,
    serviceId,
    quantity,
    quote,
    orderId: key,
    locale,
    accessScope,
    connections,
  } = upsell
  const { total } = quote
  return {
    userid: customerId,
    paymentmethod: gateway,
    serviceId,
    extraQuantity: quantity,
    price: toDecimal(total),
    key,
    currency: total.currency,
    locale,
    connections,
    ...scopeParams(accessScope),
  }
}

/** `proven` is for servers without password ids: they show such an order to every sign-up password. */
function scopeParams(scope: AccessScope | null): RequestParams {
  const passwordid = scope?.reach === "sign-up" ? (scope.passwordId ?? null) : null
  return { reach: scope?.reach ?? null, passwordid, proven: scope?.reach === "sign-up" }
}

function optionsOf(lines: readonly QuoteLine[], product: RemoteProduct | null): ReadonlyMap<string, string> {
  const chosen = lines.flatMap((line) => ("optionId" in line ? [line] : []))
  return new Map(chosen.map(({ optionId, choiceId }) => [optionId, chosenValue(product, optionId, choiceId)]))
}

function fieldsOf(
  { username, password }: Fields,
  access: ExternalOrder["credentials"],
): ReadonlyMap<string, string> {
  const values: [string | null, string][] = [
    [username, access.username],
    [password, access.password],
  ]
  return new Map(values.flatMap(([id, text]) => (id === null ? [] : [[id, text]])))
}
