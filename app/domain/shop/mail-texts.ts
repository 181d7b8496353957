import type { LocaleCode } from "../locales"
import type { CustomerMessage } from "./mail"

/** The operator's own words of one message in one language. */
export type MessageOverride = {
  /** Replaces the subject. */
  readonly subject?: string | undefined
  /** Replaces the last paragraph, which has no facts of the order. */
  readonly paragraph?: string | undefined
}

/** What the operator's shop file says in messages. */
export type MailTexts = {
  /** Name and postal address of the seller, below every message; null: none. */
  readonly seller: string | null
  readonly messages: Readonly<
    Partial<Record<CustomerMessage, Readonly<Partial<Record<LocaleCode, MessageOverride>>>>>
  >
}

/** The operator's words for a message. British English falls back to English, each text on its own. */
export function overrideFor(
  { messages }: MailTexts,
  name: CustomerMessage,
  locale: LocaleCode,
): MessageOverride {
  const texts = messages[name]
  const own = texts?.[locale]
  const english = locale === "en-gb" ? texts?.["en-en"] : undefined
  return { subject: own?.subject ?? english?.subject, paragraph: own?.paragraph ?? english?.paragraph }
}
