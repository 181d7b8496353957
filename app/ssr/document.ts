import { createContext } from "react"
import type { ErrorKind } from "~/domain/error-kind"
import type { Analytics } from "~/domain/shop/analytics"
import type { Logo } from "~/domain/shop/brand"
import type { enEn } from "~/i18n/translations/en-en"

/** What every page says of the shop. */
export type ShopView = {
  readonly name: string
  /** What page titles end with. */
  readonly title: string
  readonly publicUrl: string
  readonly logo: Logo | null
  /** What a browser may tint its own bars with, by colour scheme. */
  readonly themeColours: { readonly light: string; readonly dark: string }
  readonly testMode: boolean
  readonly account: string | null
  /** Who has not signed in has something of his own in this browser all the same. */
  readonly remembers: boolean
  /** The visitor's link has ended a password that somebody had chosen at sign-up. */
  readonly passwordEnded?: boolean
}

/** What only the server knows of the page it writes. In the browser everything is in place already. */
export type PageDocument = {
  readonly nonce: string | undefined
  readonly style: string
  readonly fonts: readonly string[]
  /** Files with the language's words. */
  readonly chunks: readonly string[]
  /** Loader data on its way to the browser; null on pages that run no script of ours. */
  readonly hydrationScript: string | null
  readonly shop: ShopView
  /** Counts visitors; null where nobody is counted. */
  readonly analytics: Analytics | null
  /** Where a buyer gets in touch with the operator; null where he has named nothing. */
  readonly support: string | null
  readonly problem: ErrorKind | null
  readonly requestId: string | null
}

export const inBrowser: PageDocument = {
  nonce: undefined,
  style: "",
  fonts: [],
  chunks: [],
  hydrationScript: "",
  shop: {
    ...{ name: "", title: "", publicUrl: "", logo: null, themeColours: { light: "", dark: "" } },
    ...{ testMode: false, account: null, remembers: false },
  },
  analytics: null,
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
  /** What search engines and shared links say of it. */
  readonly description?: `description.${keyof typeof enEn.description}`
  /** Browsers keep it for when there is no network: it runs no script of ours and knows nobody's name. */
  readonly kept?: true
  /** It has a one-time key in it, so that no two visitors get the same one. */
  readonly oneTime?: true
  /** Whoever waits there loads it again and again: between two events it is the same page, and made once. */
  readonly cachePerVisitor?: true
}
