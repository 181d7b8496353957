import { createContext } from "react"
import type { Problem } from "./domain/problem"
import type { enEn } from "./locales/en-en"

/** What only the server knows of the page it writes. In the browser everything is in place already. */
export type PageDocument = {
  readonly nonce: string | undefined
  readonly style: string
  readonly fonts: readonly string[]
  /** Files with the language's words. */
  readonly chunks: readonly string[]
  /** Loader data on its way to the browser; null on pages that need no script. */
  readonly handOver: string | null
  readonly publicUrl: string
  readonly shop: { readonly name: string; readonly testMode: boolean; readonly account: string | null }
  /** Where a buyer gets in touch with the operator; null where he has named nothing. */
  readonly support: string | null
  readonly problem: Problem | null
  readonly requestId: string | null
}

export const inBrowser: PageDocument = {
  nonce: undefined,
  style: "",
  fonts: [],
  chunks: [],
  handOver: "",
  publicUrl: "",
  shop: { name: "", testMode: false, account: null },
  support: null,
  problem: null,
  requestId: null,
}

export const DocumentContext = createContext<PageDocument>(inBrowser)

/** What a route says of its page. */
export type PageHandle = {
  readonly title: `title.${keyof typeof enEn.title}`
  /** Search engines may show it. */
  readonly public: boolean
  /** It has a one-time key in it, so that no two visitors get the same one. */
  readonly oneTime?: true
}
