import { isbot } from "isbot"

/** Whether a person asks for the page now: not a search engine, and not a browser that fetches ahead of him. */
export function isPerson(request: Request): boolean {
  const ahead = request.headers.get("sec-purpose") ?? request.headers.get("purpose") ?? ""
  return (
    request.method === "GET" && !/prefetch|preview/.test(ahead) && !isbot(request.headers.get("user-agent"))
  )
}
