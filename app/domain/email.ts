/** Non-space text, an at sign, text, a dot, text (spec, section 5); 254 characters is what mail itself can carry. */
const SHAPE = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
export const EMAIL_LENGTH = 254

export function isEmail(text: string): boolean {
  return text.length <= EMAIL_LENGTH && SHAPE.test(text)
}

/** The form under which the books know a customer: what a person means, however he types it. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase()
}
