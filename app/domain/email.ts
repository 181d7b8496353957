/** Non-space text, an at sign, text, a dot, text (spec, section 5); 254 characters is what mail itself can carry. */
const SHAPE = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
export const EMAIL_LENGTH = 254
/** Control characters, and what nobody sees or what turns the direction of writing: they forge logs and terminals. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

export function isEmail(text: string): boolean {
  return text.length <= EMAIL_LENGTH && SHAPE.test(text) && !UNSEEN.test(text)
}

/** The form under which the books know a customer: what a person means, however he types it. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase()
}
