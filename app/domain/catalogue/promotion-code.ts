/** Digits and letters that nobody takes for another one: without 0, O, 1, I, L, and without U, which looks like V. */
const letters = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
const GROUPS = 3
const LETTERS_PER_GROUP = 4

/** Codes of one series. */
export const MOST_CODES = 10_000

/** What mail programs and editors put into a copied text and nobody sees; the joiners are parts of some signs, such as emoji. */
const UNSEEN = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g

/** A code as its buyer sees it: without characters that cannot be seen, and accented letters as one character. */
export function visibleCode(typed: string): string {
  return typed.replace(UNSEEN, "").trim().normalize("NFC")
}

/** What the codes of a series may begin with: what buyers can type, and no spreadsheet takes for a formula. */
export function isCodePrefix(text: string): boolean {
  return /^([A-Z0-9][A-Z0-9-]{0,19})?$/.test(text)
}

/**
 * So many different one-time codes, such as "GIFT-7K2M-XQ4T-9BVD". Twelve letters out of thirty are more than
 * 5 · 10¹⁷ codes: nobody guesses one. `randomInt`: cryptographically random.
 */
export function newPromotionCodes(
  randomInt: (below: number) => number,
  { count, prefix }: { readonly count: number; readonly prefix: string },
): readonly string[] {
  const codes = new Set<string>()
  while (codes.size < count) codes.add(newCode(randomInt, prefix))
  return [...codes]
}

function newCode(randomInt: (below: number) => number, prefix: string): string {
  const letter = () => letters.charAt(randomInt(letters.length))
  const group = () => Array.from({ length: LETTERS_PER_GROUP }, letter).join("")
  const groups = Array.from({ length: GROUPS }, group)
  return (prefix === "" ? groups : [prefix, ...groups]).join("-")
}
