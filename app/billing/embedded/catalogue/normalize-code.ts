/** The form under which the books know a code: what a visitor means, however he types it. */
export function normalizeCode(code: string): string {
  return code.trim().toUpperCase()
}
