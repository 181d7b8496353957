/** Removes NUL characters, which PostgreSQL text cannot contain. */
export function stripNul(text: string): string {
  return text.replaceAll("\0", "")
}
