/** Text that every engine of the books keeps: PostgreSQL has none with a NUL in it, and nobody types one. */
export function stripNul(text: string): string {
  return text.replaceAll("\0", "")
}
