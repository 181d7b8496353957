/** Longer notes belong into a document that the note names. */
export const MAX_NOTE = 2_000

/** A note without blanks around it; null if it is empty, too long, or has characters that control terminals. */
export function noteIn(text: string): string | null {
  const note = text.trim()
  return note === "" || note.length > MAX_NOTE || /[^\P{Cc}\n\r\t]/u.test(note) ? null : note
}

/** A tag in its one spelling: lower case, words joined by hyphens. Null if it is none. */
export function tagIn(text: string): string | null {
  const tag = text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-")
  return /^[\p{L}\p{N}][\p{L}\p{N}-]{0,29}$/u.test(tag) ? tag : null
}
