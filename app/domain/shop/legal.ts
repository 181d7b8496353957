import type { LocaleCode } from "../locales"
import { type LocalizedText, localizedTextFor } from "./brand"
import type { LawByCountry } from "./country-law"

/** The operator's pages that the footer links to, in its order. */
export const legalPages = ["terms", "privacy", "refunds"] as const
export type LegalPage = (typeof legalPages)[number]

/** Who sells, and where the terms are, from the operator's shop file. A URL for all languages, or one by language. */
export type Legal = {
  readonly seller: string | null
  /** What the price includes, such as "Includes 19 % VAT."; said where an order is summed up. */
  readonly tax: LocalizedText
  /** Rules by the country of the buyer. */
  readonly law: LawByCountry
} & Readonly<Record<LegalPage, string | LocalizedText | null>>

type FooterLink = { readonly page: LegalPage | "withdrawal" | "support"; readonly href: string }

/** What the footer of every page shows. */
export type Footer = { readonly seller: string | null; readonly links: readonly FooterLink[] }

/** The footer in a language. A page without a URL in it links to the one in another language. */
export function footerIn(legal: Legal, support: string | null, locale: LocaleCode): Footer {
  const links = legalPages.flatMap((page): FooterLink[] => {
    const url = legal[page]
    const href = typeof url === "string" ? url : url && (localizedTextFor(url, locale) ?? firstOf(url))
    return href ? [{ page, href }] : []
  })
  return {
    seller: legal.seller,
    links: support === null ? links : links.concat({ page: "support", href: support }),
  }
}

/** Terms in another language are better than none: they bind the buyer in any case. */
function firstOf(text: LocalizedText): string | null {
  return Object.values(text)[0] ?? null
}
