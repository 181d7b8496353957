import type { Services } from "~/context/services.server"
import { jsonOf } from "~/http/form.server"
import { ApiError } from "./handlers/api-error"

/** Whether a request brings one of the operator's keys. */
export function isKnownCaller({ apiAuth }: Services, { headers }: Request): boolean {
  return apiAuth?.isKey(headers.get("x-api-key")) ?? false
}

/** The customer whose token came along; null for none, and for one that is not ours or has ended. */
export async function bearerIn({ apiAuth, now }: Services, { headers }: Request): Promise<string | null> {
  const [, token] = /^Bearer ([\w.-]{1,2000})$/i.exec(headers.get("authorization") ?? "") ?? []
  return token && apiAuth ? apiAuth.customerOf(token, now()) : null
}

type Sent = { readonly request: Request; readonly url: URL }

/** What a call says: the query of a GET, the JSON body of a POST. What is empty is not said. */
export async function parseParams({ request, url }: Sent): Promise<Record<string, unknown>> {
  const params = request.method === "GET" ? inQuery(url) : Object.entries(await inBody(request))
  return Object.fromEntries(params.filter(([, value]) => value !== "" && value !== null))
}

/** `pid[0]` is another way to write `pid[]`. Whoever says a thing twice means nobody knows which. */
function inQuery({ searchParams }: URL): [string, unknown][] {
  const request = [...searchParams].map(([name, value]): [string, string] => [
    name.replace(/\[\d*\]$/, "[]"),
    value,
  ])
  const twice = request.find(([name], at) => request.findIndex(([other]) => other === name) !== at)
  if (twice) throw new ApiError("bad-request", "Duplicate parameter")
  return request
}

async function inBody(request: Request): Promise<object> {
  const body = await jsonOf(request)
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body
  throw new ApiError("bad-request", "Request body must be a JSON object")
}
