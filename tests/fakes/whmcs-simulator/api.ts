import { actions } from "./actions"
import { type Installation, SUCCESS } from "./installation"
import { text, WhmcsError } from "./params"
import type { Fields } from "./php-form"
import { flattened, htmlEncoded, type WhmcsResponse, written } from "./responses"

export type Access = {
  readonly identifier: string
  readonly secret: string
  /** If set, callers need this key instead of an address on the allow list. */
  readonly accessKey: string | null
}

/** Actions whose documentation pages show responses with flattened keys. */
const FLATTENED = ["getcurrencies", "getaffiliates", "getinvoices", "getclients"]

type ApiRequest = { readonly params: Fields; readonly caller: string }
type ApiResponse = { readonly status: 200 | 403; readonly body: unknown }

/** Returns api.php's response to a form. Business errors have status 200; only access errors do not. */
export function handleApiRequest(
  installation: Installation,
  access: Access,
  apiRequest: ApiRequest,
): ApiResponse {
  const { status, body } = callOperation(installation, access, apiRequest)
  return { status, body: installation.quirks.texts === "encoded" ? htmlEncoded(body) : body }
}

function callOperation(
  installation: Installation,
  access: Access,
  { params, caller }: ApiRequest,
): ApiResponse {
  const name = text(params, "action").toLowerCase()
  const denied = deniedTo(installation, access, { params, caller, name })
  if (denied) return { status: 403, body: { result: "error", message: denied } }
  const body = written(execute(installation, name, params), installation.quirks)
  const isFlat = installation.quirks.lists === "flattened" && FLATTENED.includes(name)
  return { status: 200, body: isFlat ? flattened(body) : body }
}

function execute(installation: Installation, name: string, params: Fields): WhmcsResponse {
  try {
    return actions.get(name)?.(installation, params) ?? SUCCESS
  } catch (error) {
    if (error instanceof WhmcsError) return { result: "error", message: error.message }
    throw error
  }
}

type Call = { params: Fields; caller: string; name: string }

/**
 * Returns why a call is denied, checked in this order: address, credentials, permissions of the role. Null: allowed.
 */
function deniedTo({ quirks }: Installation, access: Access, { params, caller, name }: Call): string | null {
  const { address, credentials, actions: denied } = quirks.deny
  const hasKey = access.accessKey === null || text(params, "accesskey") === access.accessKey
  if (address || !hasKey) return `Invalid IP ${caller}`
  if (credentials || !isKnown(access, params)) return "Invalid or missing credentials"
  const isDenied = denied.some((it) => it === "*" || it.toLowerCase() === name)
  const isAllowed = actions.has(name) && !isDenied
  return isAllowed ? null : `Invalid Permissions: API action "${name}" is not allowed`
}

/** The credentials are accepted in either of two pairs of fields. */
function isKnown({ identifier, secret }: Access, params: Fields): boolean {
  const pairs = [
    ["identifier", "secret"],
    ["username", "password"],
  ] as const
  return pairs.some(([who, what]) => text(params, who) === identifier && text(params, what) === secret)
}
