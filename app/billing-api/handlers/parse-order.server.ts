import type { NewOrder } from "~/billing/new-order"
import type { RequestOf } from "~/billing-api/contract/endpoints"
import { accessFieldIds } from "~/billing-api/contract/products"
import type { Services } from "~/context/services.server"
import type { Product } from "~/domain/catalogue"
import { type Credentials, newCredentials } from "~/domain/credentials"
import type { Extras, quote } from "~/domain/pricing"
import { ApiError } from "./api-error"

type OrderRequest = RequestOf<"order">

/** What an order is for: one plan, alone or as a list of one (spec, section 7, notes). */
export function productIdIn(request: OrderRequest): string {
  const id = request.pid ?? request["pid[]"]
  if (id) return id
  throw new ApiError("bad-request", "pid is required")
}

const YES = /^(1|true|on|yes)$/i
const NO = /^(0|false|off|no|)$/i

/**
 * The extras that are wanted, from a map of options to what is chosen of them: the id of the choice, or yes or no. The
 * first option is the extra connection, the second the proxy protection (spec, section 3).
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

/** What the line is to be reached by: as whoever orders says, in its fields or beside them; drawn where he does not. */
export function credentialsIn({ randomInt }: Services, product: Product, request: OrderRequest): Credentials {
  const fields = accessFieldIds(product)
  const drawn = newCredentials(randomInt)
  return {
    username: access(request.username ?? request.customfields?.get(fields.username)) ?? drawn.username,
    password: access(request.password ?? request.customfields?.get(fields.password)) ?? drawn.password,
  }
}

function access(text: string | undefined): string | undefined {
  if (!text || /^[\w.@-]{1,64}$/.test(text)) return text || undefined
  throw new ApiError("bad-request", "Invalid username or password for a line")
}

/** How many may watch at once. */
export function connectionsOf({ lines }: ReturnType<typeof quote>): NewOrder["connections"] {
  return lines.some(({ kind }) => kind === "extraConnection") ? 2 : 1
}
