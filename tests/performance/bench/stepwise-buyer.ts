import { Agent, fetch } from "undici"
import type { Submission } from "../../support/html/html-form"
import { HtmlPage, type PageClient } from "../../support/html/html-page"
import { CookieJar } from "../../support/http/cookie-jar"

const FORM = "application/x-www-form-urlencoded"

/** Milliseconds: half of the server's own, whose end the next request on a busy machine could meet. */
const KEPT_OPEN = 30_000

type Sent = {
  readonly method: "GET" | "POST"
  readonly body?: URLSearchParams
  readonly headers?: Readonly<Record<string, string>>
}

type NextRequest = { readonly url: URL; readonly init: Sent }

/**
 * A browser without script that sends one request at a time: a link, a form or a redirect only names the next request, and
 * `send` sends it. So each request of a journey can be measured on its own.
 */
export class StepwiseBuyer implements PageClient {
  /** A browser keeps its connection for its next requests, and shares it with no other buyer. */
  readonly #dispatcher = new Agent({ keepAliveTimeout: KEPT_OPEN, keepAliveMaxTimeout: KEPT_OPEN })
  readonly #jar = new CookieJar()
  readonly #headers: Readonly<Record<string, string>>
  #next: NextRequest | null = null
  #page: HtmlPage | null = null

  constructor(headers: Readonly<Record<string, string>>) {
    this.#headers = { accept: "text/html,*/*;q=0.8", "accept-encoding": "gzip, br", ...headers }
  }

  /** The page that was loaded last. */
  get page(): HtmlPage {
    if (!this.#page) throw new Error("No page has been loaded yet")
    return this.#page
  }

  /** Method and path of the next request; null if the last one has led to a page. */
  get nextRequest(): string | null {
    return this.#next && `${this.#next.init.method} ${this.#next.url.pathname}`
  }

  /** Requests a URL with the buyer's cookies, as a script does. Throws if the answer is an error. */
  async poll(url: URL): Promise<void> {
    const response = await this.#fetch(url, { method: "GET" })
    const text = await response.text()
    if (!response.ok) throw new Error(`${url} was answered by ${response.status}: ${text.slice(0, 300)}`)
  }

  async visit(url: URL): Promise<HtmlPage> {
    this.#next = { url, init: { method: "GET" } }
    return this.#page ?? new HtmlPage(this, { url, status: 0, headers: new Headers(), body: "" })
  }

  async send({ action, method, entries }: Submission, from: URL): Promise<HtmlPage> {
    const url = new URL(action || from, from)
    const body = new URLSearchParams(entries)
    if (method !== "post") throw new Error(`No form of a purchase is sent by GET: ${url}`)
    this.#next = { url, init: { method: "POST", body, headers: { origin: from.origin } } }
    return this.page
  }

  /** Sends the next request. A redirect names the following one; any other response is the page. */
  async sendNext(): Promise<void> {
    if (!this.#next) throw new Error(`Nothing to send after ${this.page.url}`)
    const { url, init } = this.#next
    const response = await this.#fetch(url, init)
    const headers = new Headers([...response.headers])
    this.#jar.store(url, headers)
    const body = await response.text()
    const location = headers.get("location")
    const isRedirect = response.status >= 300 && response.status < 400 && location !== null
    this.#next = isRedirect ? { url: new URL(location, url), init: { method: "GET" } } : null
    if (!isRedirect) this.#page = new HtmlPage(this, { url, status: response.status, headers, body })
  }

  #fetch(url: URL, { method, body, headers }: Sent) {
    const cookie = this.#jar.header(url)
    const all = { ...this.#headers, ...headers, ...(cookie && { cookie }) }
    return fetch(url, {
      method,
      body: body?.toString(),
      headers: { ...all, ...(body && { "content-type": FORM }) },
      redirect: "manual",
      dispatcher: this.#dispatcher,
    })
  }
}
