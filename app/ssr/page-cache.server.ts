import { randomBytes } from "node:crypto"
import { LRUCache } from "lru-cache"
import { MINUTE } from "~/domain/calendar"
import { isEmail } from "~/domain/customers/email"
import { gzipAroundStyle } from "./gzip-around-style.server"
import { fillTemplate, gzipTemplate, type TemplatePart } from "./gzip-template.server"
import { escapeForHydration } from "./hydration-script.server"
import { ownBytes } from "./own-bytes.server"
import type { RenderedPage } from "./rendered-page.server"

/** Random placeholders for a visitor's values in a cached page. They are unguessable, so no input can contain them. */
const mark = () => randomBytes(18).toString("base64url")
const marks = { nonce: mark(), email: mark(), hydration: mark() }
type Placeholder = keyof typeof marks
/** Length in bytes: a nonce is as long as its placeholder, the others vary. */
const lengths: Record<Placeholder, number | null> = {
  nonce: marks.nonce.length,
  email: null,
  hydration: null,
}
const placeholders = new Map<string, Placeholder>([
  [marks.nonce, "nonce"],
  [marks.email, "email"],
  [marks.hydration, "hydration"],
])
const anyMark = new RegExp(`(${Object.values(marks).join("|")})`)

/** `shared`: pages shared by many visitors. `one`: pages that one visitor polls. */
export type CacheScope = "shared" | "one"
const pageCaches: Record<CacheScope, LRUCache<string, CachedPage>> = {
  shared: new LRUCache({ max: 200 }),
  one: new LRUCache({ max: 100, ttl: MINUTE }),
}

/**
 * The use of a cached page at which its template is compressed. That costs as much as compressing four responses; a page of one
 * visitor is mostly asked for two or three times before it changes.
 */
const compressedAt: Record<CacheScope, number> = { shared: 2, one: 5 }

/** A page template. */
type CachedPage = {
  readonly parts: readonly TemplatePart[]
  readonly placeholders: readonly Placeholder[]
  /** How often it has been sent. */
  uses: number
  compressed?: ReturnType<typeof gzipTemplate>
}

/** Counts for metrics: pages served from the cache, and pages rendered. */
export const pageCacheStats = { hit: 0, miss: 0 }

type Page = {
  cacheScope: CacheScope
  /** Cache key: the URL, and what the page depends on besides the hydration data. */
  url: string
  /** Hydration data: together with `url`, everything the page depends on. */
  hydrationScript: string
  /** Style sheet in the page, if many pages have the same. */
  style: string | null
  own: Own
  render: (page: { nonce: string; hydrationScript: string; own: Own["email"] }) => string
}

/** Values that differ between visitors of the same page. */
export type Own = { readonly nonce: string; readonly email: string | null }

/**
 * Page cache: renders a page once for all visitors with the same state. Nonce and e-mail are placeholders in the cached
 * template and are filled in for each visitor. `render` renders the page with the placeholder `own` as e-mail.
 */
export function cachedPage({ cacheScope, url, hydrationScript, style, own, render }: Page): RenderedPage {
  const pages = pageCaches[cacheScope]
  const escapedEmail = own.email && escapeForHydration(own.email)
  const common = escapedEmail ? hydrationScript.replaceAll(escapedEmail, marks.hydration) : hydrationScript
  const state = `${url} ${common}`
  const known = pages.get(state)
  pageCacheStats[known ? "hit" : "miss"] += 1
  const email = own.email === null ? null : marks.email
  const page = known ?? withPlaceholders(render({ nonce: marks.nonce, hydrationScript: common, own: email }))
  if (!known) pages.set(state, page)
  const values = { nonce: own.nonce, email: inMarkup(own.email ?? ""), hydration: escapedEmail ?? "" }
  page.uses += 1
  return writtenFor(page, values, { style, often: page.uses >= compressedAt[cacheScope] })
}

/** Splits the HTML at its placeholders. Bytes take half the memory of a string and are sent unchanged. */
export function withPlaceholders(html: string): CachedPage {
  const parts = html.split(anyMark).map((part) => ({ part, placeholder: placeholders.get(part) }))
  return {
    parts: parts.map(({ part, placeholder }) =>
      placeholder ? { placeholder: lengths[placeholder] } : ownBytes(part),
    ),
    placeholders: parts.flatMap(({ placeholder }) => placeholder ?? []),
    uses: 0,
  }
}

/** `often`: the template is worth compressing. */
function writtenFor(
  page: CachedPage,
  values: Record<Placeholder, string>,
  { style, often }: { readonly style: string | null; readonly often: boolean },
): RenderedPage {
  const own = page.placeholders.map((placeholder) => values[placeholder])
  const bytes = () => fillTemplate(page.parts, own)
  return {
    bytes,
    gzip() {
      if (!often) return gzipAroundStyle(bytes(), style)
      page.compressed ??= gzipTemplate(page.parts)
      return page.compressed(own)
    },
  }
}

/** Only a valid e-mail address is a safe placeholder: any other text might occur in the page's own text. */
export function canBePlaceholder(email: string | null): boolean {
  return email === null || isEmail(email)
}

/** Loader data with the e-mail replaced. */
export function replaceInData<T>(data: T, email: string, values: string): T
export function replaceInData(data: unknown, email: string, values: string): unknown {
  if (typeof data === "string") return data.replaceAll(email, values)
  if (Array.isArray(data)) return data.map((it) => replaceInData(it, email, values))
  if (typeof data !== "object" || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([key, it]) => [key, replaceInData(it, email, values)]))
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#x27;",
}

/** Escapes as React does, in text and attributes. */
function inMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}
