/** Text without spaces, an at sign, text, a dot, text (specification, Validation); at most 254 characters, the limit of SMTP. */
const SHAPE = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
export const EMAIL_LENGTH = 254
/** Control, invisible and bidirectional characters: they can forge log and terminal output. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

export function isEmail(text: string): boolean {
  return text.length <= EMAIL_LENGTH && SHAPE.test(text) && !INVISIBLE.test(text)
}

/** The e-mail in a text that has one among other words: "Ana <ana@shop.test>", "ana@shop.test,". Null: none, or several. */
export function emailIn(text: string): string | null {
  const found = text
    .split(/[\s<>()[\]",;]+/)
    .map((word) => word.replace(/^'?(?:mailto:)?|['.:!?]+$/gi, ""))
    .filter(isEmail)
  return found.length === 1 ? (found[0] ?? null) : null
}

/** An e-mail for readers who may not know it: its first character and its host. */
export function maskedEmail(email: string): string {
  return `${[...email][0] ?? ""}•••${email.slice(email.lastIndexOf("@"))}`
}

/** The normalized form that identifies a customer. Stored: the result must not change. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase()
}
