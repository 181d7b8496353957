/** Kinds of error pages with their status codes. */
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

/** Whether a value, such as the `kind` in the data of an error, is a kind of error page. */
export function isErrorKind(text: unknown): text is ErrorKind {
  return typeof text === "string" && Object.hasOwn(statusOf, text)
}
