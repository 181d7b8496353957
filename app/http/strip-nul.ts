/** Text that every engine of the books keeps: PostgreSQL has none with a NUL in it, and nobody types one. */
export function keepable(text: string): string {
  return text.replaceAll("\0", "")
}
