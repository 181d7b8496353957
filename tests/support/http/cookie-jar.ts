import { parseSetCookie, type SetCookie, stringifyCookie } from "cookie"

/** Cookies kept by origin, stricter than browsers are: two shops on one host but two ports share nothing. */
export class CookieJar {
  readonly #kept = new Map<string, SetCookie>()

  /** Takes what a response of this address sets, and forgets what it has expire. */
  keep(url: URL, headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const cookie = parseSetCookie(line)
      const key = `${url.origin} ${cookie.name}`
      if (isExpired(cookie)) this.#kept.delete(key)
      else this.#kept.set(key, cookie)
    }
  }

  /** The cookies of an origin, with their attributes. */
  keptOf(origin: string): readonly SetCookie[] {
    return [...this.#kept].filter(([key]) => key.startsWith(`${origin} `)).map(([, cookie]) => cookie)
  }

  /** The Cookie header for a request to this address; null when there is nothing to send. */
  header(url: URL): string | null {
    const fitting = [...this.#kept]
      .filter(([key, { path }]) => key.startsWith(`${url.origin} `) && covers(path ?? "/", url.pathname))
      .map(([, { name, value }]) => [name, value ?? ""])
    return fitting.length > 0 ? stringifyCookie(Object.fromEntries(fitting)) : null
  }
}

function isExpired({ maxAge, expires }: SetCookie): boolean {
  if (maxAge !== undefined) return maxAge <= 0
  return expires !== undefined && expires.getTime() <= Date.now()
}

function covers(path: string, pathname: string): boolean {
  return pathname === path || pathname.startsWith(path.endsWith("/") ? path : `${path}/`)
}
