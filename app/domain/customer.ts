import type { LocaleCode } from "./locales"
import type { Currency } from "./money"

/** Somebody the books know by his e-mail. */
export type Customer = {
  readonly id: string
  readonly email: string
  readonly locale: LocaleCode
  readonly currency: Currency
}

/** The shortest password that is taken; the longest keeps the hashing bounded. In characters. */
export const PASSWORD_LENGTH = { least: 10, most: 200 } as const
