import { parseSetCookie, type SetCookie, stringifyCookie } from "cookie"

/** Cookies by origin, stricter than in browsers: two shops on one host with different ports share none. */
export class CookieJar {
  readonly #cookies = new Map<string, SetCookie>()

  /** Stores the cookies of a response and deletes expired ones. */
  store(url: URL, headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const cookie = parseSetCookie(line)
      const key = `${url.origin} ${cookie.name}`
      if (isExpired(cookie)) this.#cookies.delete(key)
      else this.#cookies.set(key, cookie)
    }
  }

  /** Returns the cookies of an origin with their attributes. */
  cookiesOf(origin: string): readonly SetCookie[] {
    return [...this.#cookies].filter(([key]) => key.startsWith(`${origin} `)).map(([, cookie]) => cookie)
  }

  /** Returns the Cookie header for a URL, or null. */
  header(url: URL): string | null {
    const fitting = [...this.#cookies]
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
