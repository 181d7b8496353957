/** Text without spaces, an at sign, text, a dot, text (specification, Validation). */
const SHAPE = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
/** The limit of SMTP (RFC 5321), in octets; so no e-mail has more characters either. */
export const EMAIL_LENGTH = 254
/** Control, invisible and bidirectional characters: they can forge log and terminal output. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

/** Whether a text has at most as many octets as an e-mail. */
export function isShortEnough(text: string): boolean {
  return new TextEncoder().encode(text).length <= EMAIL_LENGTH
}

/** Whether a text is an e-mail that the shop takes. Whether it receives mail is another question. */
export function isEmail(text: string): boolean {
  return isShortEnough(text) && SHAPE.test(text) && !INVISIBLE.test(text)
}

/**
 * Whether an address needs no quotes in SMTP (RFC 5321, Dot-string; RFC 6531 for other scripts). The checkout accepts a
 * few addresses more, such as one with a comma, which a mail server would read as two.
 */
export function isDeliverable(email: string): boolean {
  return /^[^\s\p{Cc}@"(),:;<>[\\\]]+@[^\s\p{Cc}@"(),:;<>[\\\]]+$/u.test(email) && !email.includes("..")
}

/** The e-mail in a text that has one among other words: "Ana <ana@shop.test>", "ana@shop.test,". Null: none, or several. */
export function emailIn(text: string): string | null {
  const found = text
    .split(/[\s<>()[\]",;]+/)
    .map((word) => word.replace(/^'?(?:mailto:)?|['.:!?]+$/gi, ""))
    .filter(isEmail)
  return found.length === 1 ? (found[0] ?? null) : null
}

/** The scheme of a link, brackets, commas and stops that come along when an e-mail is copied; all of those at the end at once. */
const AROUND = /^\s*(?:mailto:|<)?|(?<![\s>,;:.])[\s>,;:.]+$/gi

/** A typed e-mail without the spaces and marks around it: "<ana@shop.test>", "ana@shop.test,". Any other text is only trimmed. */
export function typedEmail(typed: string): string {
  const bare = typed.replace(AROUND, "")
  return isEmail(bare) ? bare : typed.trim()
}

/** Whether a stored e-mail was erased with its customer: the word in its place is none, while a masked one has its sign. */
export function isErased(email: string): boolean {
  return !email.includes("@")
}

/** An e-mail for readers who may not know it: its first character and its host. Of a text without a host the first character alone. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf("@")
  return `${[...email][0] ?? ""}…${at < 0 ? "" : email.slice(at)}`
}

/** The normalized form that identifies a customer. Stored: the result must not change. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase()
}
