import { documentNumber, type IssuedKind } from "./tax-document"

/** What a number of an invoice or credit note says. */
export type DocumentNumber = { readonly kind: IssuedKind; readonly year: number; readonly sequence: number }

/** Reads a number such as `2026-000123`, with the beginning of its kind, exactly as documents have it. Null: it is none. */
export function documentNumberIn(
  text: string,
  prefixes: readonly { readonly kind: IssuedKind; readonly prefix: string }[],
): DocumentNumber | null {
  for (const { kind, prefix } of prefixes) {
    if (!text.startsWith(prefix)) continue
    const [, year, sequence] = /^(\d{4})-(\d{6,12})$/.exec(text.slice(prefix.length)) ?? []
    const found = { kind, year: Number(year), sequence: Number(sequence) }
    if (documentNumber(prefix, found.year, found.sequence) === text) return found
  }
  return null
}
