import type { Services } from "~/context/services.server"
import { jsonOf } from "~/http/form.server"
import { ApiError } from "./handlers/api-error"

/** Whether the request has a valid API key in `x-api-key`. */
export function isKnownCaller({ apiAuth }: Pick<Services, "apiAuth">, { headers }: Request): boolean {
  return apiAuth?.isKey(headers.get("x-api-key")) ?? false
}

/** Customer id from the Bearer token; null if it is missing, invalid or expired. */
export async function bearerIn(
  { apiAuth, now }: Pick<Services, "apiAuth" | "now">,
  { headers }: Request,
): Promise<string | null> {
  const [, token] = /^Bearer ([\w.-]{1,2000})$/i.exec(headers.get("authorization") ?? "") ?? []
  return token && apiAuth ? apiAuth.customerOf(token, now()) : null
}

type Sent = { readonly request: Request; readonly url: URL }

/** Parameters of a call: the query of a GET, the JSON body of a POST. Empty and null values count as missing. */
export async function parseParams({ request, url }: Sent): Promise<Record<string, unknown>> {
  const params = request.method === "GET" ? inQuery(url) : Object.entries(await inBody(request))
  return Object.fromEntries(params.filter(([, value]) => value !== "" && value !== null))
}

/** Query parameters; `pid[0]` equals `pid[]`. Throws 400 for a duplicate parameter, whose meaning is ambiguous. */
function inQuery({ searchParams }: URL): [string, unknown][] {
  const request = [...searchParams].map(([name, value]): [string, string] => [
    name.replace(/\[\d*\]$/, "[]"),
    value,
  ])
  const twice = request.find(([name], at) => request.findIndex(([other]) => other === name) !== at)
  if (twice) throw new ApiError("bad-request", `${twice[0]}: given twice`)
  return request
}

async function inBody(request: Request): Promise<object> {
  const body = await jsonOf(request)
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body
  throw new ApiError("bad-request", "Request body must be a JSON object")
}
