/** What can go wrong beyond a visitor's mistakes, in the words of the error page, with the status it answers. */
export const statusOf = {
  "not-found": 404,
  "forbidden-origin": 403,
  "too-large": 413,
  "too-many": 429,
  unreadable: 502,
  unavailable: 503,
  crowded: 503,
  unexpected: 500,
} as const

export type ErrorKind = keyof typeof statusOf

export function isProblem(text: unknown): text is ErrorKind {
  return typeof text === "string" && Object.hasOwn(statusOf, text)
}
