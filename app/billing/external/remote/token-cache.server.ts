import { LRUCache } from "lru-cache"
import { HOUR } from "~/domain/calendar"

/** Limits of the token cache; `ttl` in milliseconds. A token that expires earlier is detected by a 401. */
const RETAINED = { max: 10_000, ttl: HOUR }

/** Tokens by customer id (billing API: the token of /auth). */
export type Tokens = {
  known(customerId: string): string | null
  set(customerId: string, token: string | null): void
  /** A new token in place of `worn`; concurrent calls share one request. Null if none is issued. */
  renewed(customerId: string, worn: string | null): Promise<string | null>
}

/** `requestToken` requests a new token for a customer. */
export function tokenCache(requestToken: (customerId: string) => Promise<string | null>): Tokens {
  const tokens = new LRUCache<string, string>(RETAINED)
  const inFlight = new Map<string, Promise<string | null>>()

  async function authenticate(customerId: string): Promise<string | null> {
    try {
      const token = await requestToken(customerId)
      if (token) tokens.set(customerId, token)
      return token
    } finally {
      inFlight.delete(customerId)
    }
  }

  return {
    known: (customerId) => tokens.get(customerId) ?? null,
    set: (customerId, token) => void (token && tokens.set(customerId, token)),
    async renewed(customerId, worn) {
      const known = tokens.get(customerId) ?? null
      if (known !== worn) return known
      const call = inFlight.get(customerId) ?? authenticate(customerId)
      inFlight.set(customerId, call)
      return call
    },
  }
}
