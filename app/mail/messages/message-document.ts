import type { Locale } from "~/domain/locales"

/** A message as data. HTML and text are both written from it, so that they say the same. */
export type MessageDocument = {
  readonly locale: Locale
  readonly subject: string
  /** What a mailbox shows after the subject. */
  readonly preview: string
  readonly shopName: string
  readonly heading: string
  /** What happened and what to do, in reading order; at most one button. */
  readonly blocks: readonly Block[]
  readonly receipt: Receipt | null
  readonly closing: Closing
  readonly footer: Footer
}

export type Block =
  /** `strong`: a part of the text that matters most, such as an amount or a deadline. */
  | { readonly kind: "paragraph"; readonly text: string; readonly strong: string | null }
  /** A smaller paragraph, about what is above it. */
  | { readonly kind: "note"; readonly text: string }
  | { readonly kind: "button"; readonly label: string; readonly url: string }
  /** A code to type. */
  | { readonly kind: "code"; readonly code: string }
  /** Commands of the operator. */
  | { readonly kind: "commands"; readonly label: string; readonly commands: readonly string[] }

/** What was ordered and what it costs. */
export type Receipt = {
  readonly title: string
  /** The order, as its number names it. */
  readonly order: string
  readonly lines: readonly ReceiptRow[]
  /** What leads from the lines to the result. */
  readonly sums: readonly ReceiptRow[]
  /** The amount that matters: what was paid, or what is left to pay. */
  readonly result: ReceiptRow
  readonly notes: readonly string[]
}

export type ReceiptRow = { readonly label: string; readonly amount: string }

/** The last paragraph, which the operator may replace. */
export type Closing = { readonly text: string | null; readonly support: Link | null }

export type Footer = {
  /** Why the recipient has this message. */
  readonly reason: string
  readonly seller: string | null
  readonly shop: Link
  /** The operator's terms and privacy policy. */
  readonly legal: readonly Link[]
  /** Link that ends reminders; null for all other messages. */
  readonly unsubscribe: Link | null
}

export type Link = { readonly label: string; readonly url: string }
