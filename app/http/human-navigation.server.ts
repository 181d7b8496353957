import { isbot } from "isbot"

type Navigation = {
  readonly method?: string | undefined
  readonly headers: { get(name: string): string | null }
}

/** Whether a person opens the page now: no bot, no prefetch, no preview. */
export function isHumanNavigation({ method, headers }: Navigation): boolean {
  const ahead = headers.get("sec-purpose") ?? headers.get("purpose") ?? ""
  return method === "GET" && !/prefetch|preview/.test(ahead) && !isBot({ headers })
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
  const isDocument = ["document", null].includes(headers.get("sec-fetch-dest"))
  const isFromInside = headers.get("referer")?.startsWith(ownPages) ?? false
  const isNamed = Boolean(headers.get("user-agent"))
  return isNamed && isDocument && !isFromInside && isHumanNavigation(navigation)
}
