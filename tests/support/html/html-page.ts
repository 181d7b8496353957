import { type Button, type Fields, formsIn, type HtmlForm, type Submission } from "./html-form"
import { attribute, elements, readHtml, textOf } from "./html-tree"

export type PageResponse = {
  readonly url: URL
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** Whoever brings the next page. */
export type PageClient = {
  visit(url: URL): Promise<HtmlPage>
  send(submission: Submission, from: URL): Promise<HtmlPage>
}

export type Press = {
  /** Which button; nothing said is the first of the form. */
  button?: Button
  /** The form that has this field, where more than one has such a button. */
  having?: string
  fields?: Fields
  /** Sent whatever the form says, as by somebody who does not use our pages. */
  tamper?: Readonly<Record<string, string>>
}

/** An answer as a reader has it: words, links, forms, and where it leads by itself. */
export class HtmlPage {
  readonly url: URL
  readonly status: number
  readonly headers: Headers
  readonly body: string
  readonly #traveller: PageClient
  readonly #document

  constructor(traveller: PageClient, answer: PageResponse) {
    this.#traveller = traveller
    this.url = answer.url
    this.status = answer.status
    this.headers = answer.headers
    this.body = answer.body
    this.#document = readHtml(answer.body)
  }

  /** The words on the page. */
  get text(): string {
    return textOf(this.#document)
  }

  get language(): string | null {
    const [html] = elements(this.#document, ({ tagName }) => tagName === "html")
    return html ? attribute(html, "lang") : null
  }

  /** What a field of some form is filled with before anybody touches it; null when it sends nothing. */
  field(name: string): string | null {
    const form = this.#formHaving(name)
    const entry = form.submission(undefined, {}).entries.find(([it]) => it === name)
    return entry?.[1] ?? null
  }

  /** Fills in a form and presses a button of it. Throws when the page has no such button or field. */
  submit({ button = {}, having, fields = {}, tamper = {} }: Press = {}): Promise<HtmlPage> {
    const forms = having === undefined ? formsIn(this.#document) : [this.#formHaving(having)]
    const form = forms.find((it) => it.button(button))
    if (!form) throw new Error(`No button ${JSON.stringify(button)} on ${this.#described()}`)
    const submission = form.submission(form.button(button), fields)
    const untouched = submission.entries.filter(([name]) => !(name in tamper))
    const entries = [...untouched, ...Object.entries(tamper)]
    return this.#traveller.send({ ...submission, entries }, this.url)
  }

  /** Follows the first link with these words, or whose address fits. Throws when there is none. */
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

  /** Where the page leads by itself, and after how many seconds; null when it stays. */
  get refresh(): { seconds: number; url: URL } | null {
    const metas = elements(this.#document, ({ tagName }) => tagName === "meta")
    const meta = metas.find((it) => attribute(it, "http-equiv")?.toLowerCase() === "refresh")
    const content = this.headers.get("refresh") ?? (meta && attribute(meta, "content"))
    const match = /^\s*(\d+)\s*(?:[;,]\s*(?:url\s*=\s*)?['"]?([^'"]*)['"]?)?\s*$/i.exec(content ?? "")
    return match ? { seconds: Number(match[1]), url: new URL(match[2] || this.url, this.url) } : null
  }

  /** Goes where the page leads by itself, without the wait. Throws when it stays. */
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
