import { randomBytes } from "node:crypto"
import { LRUCache } from "lru-cache"

/** Stands for the nonce while a page is kept; nobody outside can know it, so no text of a page can hold it. */
const NONCE = randomBytes(18).toString("base64url")

const pages = new LRUCache<string, readonly string[]>({ max: 200 })

/** For whoever watches: how often a page was there, and how often it had to be rendered. */
export const renderedPages = { hit: 0, miss: 0 }

type Page = {
  /** Everything the page is made of but the nonce: the same state is the same page. */
  state: string
  nonce: string
  render: (nonce: string) => string
}

/** A page that looks the same for many visitors is rendered once for all of them; each gets a nonce of his own. */
export function renderedOnce({ state, nonce, render }: Page): string {
  const known = pages.get(state)
  renderedPages[known ? "hit" : "miss"] += 1
  if (known) return known.join(nonce)
  const pieces = render(NONCE).split(NONCE)
  pages.set(state, pieces)
  return pieces.join(nonce)
}
