import { isbot } from "isbot"

/** Whether a person opens the page now: no bot, no prefetch, no preview. */
export function isHumanNavigation(request: Request): boolean {
  const ahead = request.headers.get("sec-purpose") ?? request.headers.get("purpose") ?? ""
  return (
    request.method === "GET" && !/prefetch|preview/.test(ahead) && !isbot(request.headers.get("user-agent"))
  )
}
