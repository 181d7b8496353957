import { isbot } from "isbot"

type Navigation = {
  readonly method?: string | undefined
  readonly headers: { get(name: string): string | null }
}

/** Whether a person opens the page now: no bot, no prefetch, no preview, and no picture, frame or script of another page. */
export function isHumanNavigation({ method, headers }: Navigation): boolean {
  const ahead = headers.get("sec-purpose") ?? headers.get("purpose") ?? ""
  return method === "GET" && !/prefetch|preview/.test(ahead) && isOpened(headers) && !isBot({ headers })
}

/** A service worker that passes a navigation on sends it as a request of its own, without a destination. */
function isOpened(headers: Navigation["headers"]): boolean {
  if (headers.get("sec-fetch-dest") === "empty") return headers.get("sec-fetch-site") === "same-origin"
  return isDocument(headers)
}

/** Older browsers do not say. */
function isDocument(headers: Navigation["headers"]): boolean {
  return ["document", null].includes(headers.get("sec-fetch-dest"))
}

export function isBot({ headers }: Pick<Navigation, "headers">): boolean {
  return isbot(headers.get("user-agent"))
}

/**
 * Whether a person comes to a page from outside `ownPages`: not by its links, its forms or its language menu. Every browser names
 * itself.
 */
export function isArrival(navigation: Navigation, ownPages: string): boolean {
  const { headers } = navigation
  const isFromInside = headers.get("referer")?.startsWith(ownPages) ?? false
  const isNamed = Boolean(headers.get("user-agent"))
  return isNamed && isDocument(headers) && !isFromInside && isHumanNavigation(navigation)
}
