import { createContext } from "react"
import type { ErrorKind } from "~/domain/error-kind"
import type { Analytics } from "~/domain/shop/analytics"
import type { Logo } from "~/domain/shop/brand"
import type { Footer } from "~/domain/shop/legal"
import type { enEn } from "~/i18n/translations/en-en"
import type { FirstStyle } from "~/ui/style/style.server"

/** The shop and the visitor's state as every page shows them. */
export type ShopView = {
  readonly name: string
  /** Suffix of page titles. */
  readonly title: string
  readonly publicUrl: string
  readonly logo: Logo | null
  /** `theme-color` by colour scheme. */
  readonly themeColours: { readonly light: string; readonly dark: string }
  readonly testMode: boolean
  readonly footer: Footer
  /** Time of a sandbox whose clock was moved; null: the usual time. */
  readonly shopTime: string | null
  readonly account: string | null
  /** The session has bought a service, or the signed-in customer has one: the header links to it. */
  readonly ownsService: boolean
  /** A signed-out visitor whose session has an order, a service or an e-mail. */
  readonly remembers: boolean
  /** The visitor's sign-in link invalidated a password that was chosen at sign-up. */
  readonly passwordEnded?: boolean
}

/** Server-only parts of a page. In the browser they are empty, since the document has them already. */
export type PageDocument = {
  readonly nonce: string | undefined
  readonly style: string
  readonly fonts: readonly string[]
  /** Chunks with the locale's translations. */
  readonly chunks: readonly string[]
  /** Loader data for hydration; null on pages without our scripts. */
  readonly hydrationScript: string | null
  readonly shop: ShopView
  /** Analytics script; null if none is configured. */
  readonly analytics: Analytics | null
  /** The operator's support contact; null if none is configured. */
  readonly support: string | null
  /** Address that messages come from; null if the shop sends none, and then no page promises one. */
  readonly mailSender: string | null
  readonly errorKind: ErrorKind | null
  /** When to try again, if billing has asked for longer than a minute. */
  readonly retryNote: string | null
  readonly requestId: string | null
}

export const inBrowser: PageDocument = {
  nonce: undefined,
  style: "",
  fonts: [],
  chunks: [],
  hydrationScript: "",
  shop: {
    name: "",
    title: "",
    publicUrl: "",
    logo: null,
    themeColours: { light: "", dark: "" },
    testMode: false,
    footer: { seller: null, links: [] },
    shopTime: null,
    account: null,
    ownsService: false,
    remembers: false,
  },
  analytics: null,
  support: null,
  mailSender: null,
  errorKind: null,
  retryNote: null,
  requestId: null,
}

export const DocumentContext = createContext<PageDocument>(inBrowser)

/** Page settings of a route. */
export type PageHandle = {
  readonly title:
    | `title.${keyof typeof enEn.title}`
    | "frame.withdrawal"
    | `scriptless.${keyof typeof enEn.scriptless}`
  /** Search engines may index it. */
  readonly public: boolean
  /** Description for search engines and shared links. */
  readonly description?: `description.${keyof typeof enEn.description}`
  /** The offline page, which the service worker caches: without our scripts and without personal data. */
  readonly isOfflinePage?: true
  /** Has no script, so that none of it is in the browser's files; only links and forms of documents lead there. */
  readonly isScriptless?: true
  /** The kind of its screens: the page has their style, and that of the others follows after the first paint. Without: it has all. */
  readonly firstStyle?: FirstStyle
  /** Has the form of an order, with the id "order", as far as its loader has an offer. */
  readonly hasOrderForm?: true
  /** Contains an idempotency key, so the page is never cached. */
  readonly neverCached?: true
  /** A visitor polls this page: it is cached per visitor, since it is the same between two events. */
  readonly cachePerVisitor?: true
}
