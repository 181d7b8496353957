import { type Button, type Fields, formsIn, type HtmlForm, type Submission } from "./html-form"
import { attribute, elements, readHtml, textOf } from "./html-tree"

export type PageResponse = {
  readonly url: URL
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** Loads the next page. */
export type PageClient = {
  visit(url: URL): Promise<HtmlPage>
  send(submission: Submission, from: URL): Promise<HtmlPage>
}

export type Press = {
  /** The button to press; the form's first by default. */
  button?: Button
  /** Selects the form that has this field, if several have such a button. */
  having?: string
  fields?: Fields
  /** Values sent regardless of the form, as by an attacker. */
  tamper?: Readonly<Record<string, string>>
}

/** A response as a client without script sees it: text, links, forms and meta refresh. */
export class HtmlPage {
  readonly url: URL
  readonly status: number
  readonly headers: Headers
  readonly body: string
  readonly #traveller: PageClient
  readonly #document

  constructor(traveller: PageClient, response: PageResponse) {
    this.#traveller = traveller
    this.url = response.url
    this.status = response.status
    this.headers = response.headers
    this.body = response.body
    this.#document = readHtml(response.body)
  }

  /** The visible text. */
  get text(): string {
    return textOf(this.#document)
  }

  get language(): string | null {
    const [html] = elements(this.#document, ({ tagName }) => tagName === "html")
    return html ? attribute(html, "lang") : null
  }

  /** Returns the initial value of a field; null if it submits nothing. */
  field(name: string): string | null {
    const form = this.#formHaving(name)
    const entry = form.submission(undefined, {}).entries.find(([it]) => it === name)
    return entry?.[1] ?? null
  }

  /** Fills in a form and presses a button. Throws if the page has no such button or field. */
  submit({ button = {}, having, fields = {}, tamper = {} }: Press = {}): Promise<HtmlPage> {
    const forms = having === undefined ? formsIn(this.#document) : [this.#formHaving(having)]
    const form = forms.find((it) => it.button(button))
    if (!form) throw new Error(`No button ${JSON.stringify(button)} on ${this.#described()}`)
    const submission = form.submission(form.button(button), fields)
    const untouched = submission.entries.filter(([name]) => !(name in tamper))
    const entries = [...untouched, ...Object.entries(tamper)]
    return this.#traveller.send({ ...submission, entries }, this.url)
  }

  /** Follows the first link with this text or a matching URL. Throws if there is none. */
  follow(link: string | RegExp): Promise<HtmlPage> {
    const found = elements(this.#document, ({ tagName }) => tagName === "a").find((it) => {
      const href = attribute(it, "href")
      if (href === null) return false
      return typeof link === "string" ? textOf(it).includes(link) : link.test(href)
    })
    const href = found && attribute(found, "href")
    if (typeof href !== "string") throw new Error(`No link ${link} on ${this.#described()}`)
    return this.#traveller.visit(new URL(href, this.url))
  }

  /** Target and delay of the meta refresh, or null. */
  get refresh(): { seconds: number; url: URL } | null {
    const metas = elements(this.#document, ({ tagName }) => tagName === "meta")
    const meta = metas.find((it) => attribute(it, "http-equiv")?.toLowerCase() === "refresh")
    const content = this.headers.get("refresh") ?? (meta && attribute(meta, "content"))
    const match = /^\s*(\d+)\s*(?:[;,]\s*(?:url\s*=\s*)?['"]?([^'"]*)['"]?)?\s*$/i.exec(content ?? "")
    return match ? { seconds: Number(match[1]), url: new URL(match[2] || this.url, this.url) } : null
  }

  /** Follows the meta refresh without waiting. Throws if there is none. */
  followRefresh(): Promise<HtmlPage> {
    const { refresh } = this
    if (!refresh) throw new Error(`No refresh on ${this.#described()}`)
    return this.#traveller.visit(refresh.url)
  }

  #formHaving(field: string): HtmlForm {
    const form = formsIn(this.#document).find((it) => it.has(field))
    if (!form) throw new Error(`No form with a field "${field}" on ${this.#described()}`)
    return form
  }

  #described(): string {
    return `${this.url} (${this.status}): ${this.text.slice(0, 500)}`
  }
}
