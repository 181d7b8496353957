import type { SetCookie } from "cookie"
import type { Submission } from "../html/html-form"
import { HtmlPage } from "../html/html-page"
import { CookieJar } from "../http/cookie-jar"

/** Redirect limit of browsers. */
const MAX_REDIRECTS = 20

/**
 * A browser without script: supports cookies, redirects, links, forms and meta refresh only. Every navigation returns
 * the final page, whatever its status.
 */
export class Browser {
  readonly #jar = new CookieJar()
  readonly #headers: Readonly<Record<string, string>>

  /** `headers` are sent with every request, such as `accept-language`. */
  constructor(headers: Readonly<Record<string, string>> = {}) {
    this.#headers = { accept: "text/html,*/*;q=0.8", ...headers }
  }

  visit(url: string | URL): Promise<HtmlPage> {
    return this.#load(new URL(url), { method: "GET" })
  }

  /** Submits a form of the page `from`. */
  send({ action, method, entries }: Submission, from: URL): Promise<HtmlPage> {
    const url = new URL(action || from, from)
    const body = new URLSearchParams(entries)
    if (method === "post") return this.#load(url, { method: "POST", body, headers: { origin: from.origin } })
    url.search = body.toString()
    return this.#load(url, { method: "GET" })
  }

  /** Posts data that no form of a page would submit. */
  post(url: string | URL, { body, headers }: Pick<RequestInit, "body" | "headers">): Promise<HtmlPage> {
    return this.#load(new URL(url), { method: "POST", body, headers })
  }

  /** Returns the Cookie header for a URL, or null. */
  cookies(url: URL): string | null {
    return this.#jar.header(url)
  }

  /** Returns the stored cookies of an origin. */
  cookiesOf(origin: string): readonly SetCookie[] {
    return this.#jar.cookiesOf(origin)
  }

  async #load(first: URL, request: RequestInit): Promise<HtmlPage> {
    let [url, next] = [first, request]
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const response = await this.#fetch(url, next)
      const { status, headers } = response
      // The body is always read to its end, which frees the connection for the next request.
      const body = await response.text()
      const location = headers.get("location")
      if (status < 300 || status > 399 || !location) return new HtmlPage(this, { url, status, headers, body })
      // 307 and 308 repeat the request; the others are followed with GET, as every browser does.
      if (status !== 307 && status !== 308) next = { method: "GET" }
      url = new URL(location, url)
    }
    throw new Error(`More than ${MAX_REDIRECTS} redirects from ${first}`)
  }

  async #fetch(url: URL, request: RequestInit): Promise<Response> {
    const headers = new Headers({ ...this.#headers, ...Object.fromEntries(new Headers(request.headers)) })
    const cookies = this.#jar.header(url)
    if (cookies) headers.set("cookie", cookies)
    const response = await fetch(url, { ...request, headers, redirect: "manual" })
    this.#jar.store(url, response.headers)
    return response
  }
}
