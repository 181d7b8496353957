import type { RequestOf } from "~/billing-api/contract/endpoints"
import { LINE_CREDENTIAL } from "~/billing-api/contract/field-types"
import { accessFieldIds } from "~/billing-api/contract/products"
import type { Services } from "~/context/services.server"
import type { Product } from "~/domain/catalogue/catalogue"
import type { Extras } from "~/domain/catalogue/pricing"
import { type Credentials, newCredentials } from "~/domain/services/credentials"
import { ApiError } from "./api-error"

type OrderRequest = RequestOf<"order">

/** Product id of an order, from `pid` or from the one-element list `pid[]` (specification, Billing API). */
export function productIdIn(request: OrderRequest): string {
  const id = request.pid ?? request["pid[]"]
  if (id) return id
  throw new ApiError("bad-request", "pid is required")
}

const YES = /^(1|true|on|yes)$/i
const NO = /^(0|false|off|no|)$/i

/**
 * Selected extras, from a map of option ids to a choice id or yes/no. The first option of a product is the extra
 * connection, the second the proxy protection (specification, Catalogue). Throws 400 for an unknown option or choice.
 */
export function extrasIn({ options }: Product, request: OrderRequest["configoptions"]): Extras {
  const known = options.map(({ id }) => id)
  for (const id of request?.keys() ?? []) {
    if (!known.includes(id)) throw new ApiError("bad-request", "configoptions: unknown option")
  }
  const wants = (place: number) => {
    const option = options[place]
    const value = (option && request?.get(option.id)) ?? ""
    if (NO.test(value)) return false
    if (YES.test(value) || option?.choices.some(({ id }) => id === value)) return true
    throw new ApiError("bad-request", "configoptions: unknown choice")
  }
  return { extraConnection: wants(0), proxyProtection: wants(1) }
}

/** Credentials of the line, from the parameters or the custom fields; generated if missing. */
export function credentialsIn(
  { randomInt }: Pick<Services, "randomInt">,
  product: Product,
  request: OrderRequest,
): Credentials {
  const fields = accessFieldIds(product)
  const drawn = newCredentials(randomInt)
  return {
    username: access(request.username ?? request.customfields?.get(fields.username)) ?? drawn.username,
    password: access(request.password ?? request.customfields?.get(fields.password)) ?? drawn.password,
  }
}

function access(text: string | undefined): string | undefined {
  if (!text || LINE_CREDENTIAL.test(text)) return text || undefined
  throw new ApiError("bad-request", "Invalid username or password for a line")
}
