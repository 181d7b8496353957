import { isbot } from "isbot"
import { BASE } from "~/domain/base-path"

/** Addresses that programs ask: they speak no language, and what they say is no link into the shop. */
export function isApiPath({ pathname }: URL): boolean {
  return pathname.startsWith(`${BASE}/api/`)
}

/** Whether a person asks for the page now: not a search engine, and not a browser that fetches ahead of him. */
export function isHumanNavigation(request: Request): boolean {
  const ahead = request.headers.get("sec-purpose") ?? request.headers.get("purpose") ?? ""
  return (
    request.method === "GET" && !/prefetch|preview/.test(ahead) && !isbot(request.headers.get("user-agent"))
  )
}
