/** What an answer says of when to try again; nothing for 0 seconds. */
export function retryAfter(seconds: number): Record<string, string> {
  return seconds > 0 ? { "retry-after": String(seconds) } : {}
}
