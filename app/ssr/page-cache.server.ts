import { randomBytes } from "node:crypto"
import { LRUCache } from "lru-cache"
import { MINUTE } from "~/domain/calendar"
import { isEmail } from "~/domain/email"
import { fillTemplate, gzipTemplate, type TemplatePart } from "./gzip-template.server"
import { escapeForHydration } from "./hydration-script.server"
import type { RenderedPage } from "./rendered-page.server"

/** Stand for a visitor's own words while a page is kept; nobody outside can know them, so no text of a page can hold them. */
const mark = () => randomBytes(18).toString("base64url")
const marks = { nonce: mark(), email: mark(), handedOver: mark() }
type Gap = keyof typeof marks
/** Every nonce is as long as the mark that stands for it. */
const lengths: Record<Gap, number | null> = { nonce: marks.nonce.length, email: null, handedOver: null }
const gaps = new Map<string, Gap>([
  [marks.nonce, "nonce"],
  [marks.email, "email"],
  [marks.handedOver, "handedOver"],
])
const anyMark = new RegExp(`(${Object.values(marks).join("|")})`)

/** `everybody`: pages that many visitors see. `one`: what somebody looks at again and again, as long as it says the same. */
export type CacheScope = "everybody" | "one"
const shelves: Record<CacheScope, LRUCache<string, KeptPage>> = {
  everybody: new LRUCache({ max: 200 }),
  one: new LRUCache({ max: 100, ttl: MINUTE }),
}

/** A page with gaps, and the same packed once it has been asked for again. */
type KeptPage = {
  readonly pieces: readonly TemplatePart[]
  readonly gaps: readonly Gap[]
  packed?: ReturnType<typeof gzipTemplate>
}

/** For whoever watches: how often a page was there, and how often it had to be rendered. */
export const pageCacheStats = { hit: 0, miss: 0 }

type Page = {
  cacheScope: CacheScope
  /** The address, and what else the page depends on that is not handed over. */
  url: string
  /** The script that hands the loader data over: with the address, everything the page is made of. */
  hydrationScript: string
  own: Own
  render: (page: { nonce: string; hydrationScript: string; own: Own["email"] }) => string
}

/** What differs between visitors of the same page. */
export type Own = { readonly nonce: string; readonly email: string | null }

/**
 * A page that looks the same for many visitors is rendered once for all of them. Each gets a nonce of his own, and his
 * e-mail where another's stood: what is kept is nobody's. `render` makes the page with that e-mail in its data, `own`.
 */
export function cachedPage({ cacheScope, url, hydrationScript, own, render }: Page): RenderedPage {
  const pages = shelves[cacheScope]
  const handedOver = own.email && escapeForHydration(own.email)
  const common = handedOver ? hydrationScript.replaceAll(handedOver, marks.handedOver) : hydrationScript
  const state = `${url} ${common}`
  const known = pages.get(state)
  pageCacheStats[known ? "hit" : "miss"] += 1
  const email = own.email === null ? null : marks.email
  const page = known ?? withGaps(render({ nonce: marks.nonce, hydrationScript: common, own: email }))
  if (!known) pages.set(state, page)
  const words = { nonce: own.nonce, email: inMarkup(own.email ?? ""), handedOver: handedOver ?? "" }
  return writtenFor(page, words, known !== undefined)
}

/** As bytes, which is how they are sent, and half as long as the text. */
function withGaps(html: string): KeptPage {
  const pieces = html.split(anyMark).map((piece) => ({ piece, gap: gaps.get(piece) }))
  return {
    pieces: pieces.map(({ piece, gap }) => (gap ? { gap: lengths[gap] } : Buffer.from(piece))),
    gaps: pieces.flatMap(({ gap }) => gap ?? []),
  }
}

/** Packing well takes longer than packing once, so it is for pages that come again. */
function writtenFor(page: KeptPage, words: Record<Gap, string>, again: boolean): RenderedPage {
  const own = page.gaps.map((gap) => words[gap])
  const gzip = () => {
    page.packed ??= gzipTemplate(page.pieces)
    return page.packed(own)
  }
  return { bytes: () => fillTemplate(page.pieces, own), gzip: again ? gzip : null }
}

/** Only what is shaped like an e-mail can be told from every other word of a page. */
export function canBePlaceholder(email: string | null): boolean {
  return email === null || isEmail(email)
}

/** Loader data with other words in the place of an e-mail. */
export function replaceInData<T>(data: T, email: string, words: string): T
export function replaceInData(data: unknown, email: string, words: string): unknown {
  if (typeof data === "string") return data.replaceAll(email, words)
  if (Array.isArray(data)) return data.map((it) => replaceInData(it, email, words))
  if (typeof data !== "object" || data === null) return data
  return Object.fromEntries(Object.entries(data).map(([key, it]) => [key, replaceInData(it, email, words)]))
}

const entities: Record<string, string> = {
  ...{ "&": "&amp;", "<": "&lt;", ">": "&gt;" },
  ...{ '"': "&quot;", "'": "&#x27;" },
}

/** As React writes it, in text and between quotes alike. */
function inMarkup(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}
