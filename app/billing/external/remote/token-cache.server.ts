import { LRUCache } from "lru-cache"
import { HOUR } from "~/domain/calendar"

/** Customers whose tokens are kept, and for how long; one that ends sooner is found out by a 401. */
const RETAINED = { max: 10_000, ttl: HOUR }

/** What proves a customer to them (spec: the token of /auth), by his id. */
export type Tokens = {
  known(customerId: string): string | null
  keep(customerId: string, token: string | null): void
  /** A new one in place of `worn`, of many at once made once; null where none can be had. */
  renewed(customerId: string, worn: string | null): Promise<string | null>
}

/** `prove` asks them for a new token of a customer. */
export function tokenCache(prove: (customerId: string) => Promise<string | null>): Tokens {
  const tokens = new LRUCache<string, string>(RETAINED)
  const underWay = new Map<string, Promise<string | null>>()

  async function authenticate(customerId: string): Promise<string | null> {
    try {
      const token = await prove(customerId)
      if (token) tokens.set(customerId, token)
      return token
    } finally {
      underWay.delete(customerId)
    }
  }

  return {
    known: (customerId) => tokens.get(customerId) ?? null,
    keep: (customerId, token) => void (token && tokens.set(customerId, token)),
    async renewed(customerId, worn) {
      const known = tokens.get(customerId) ?? null
      if (known !== worn) return known
      const call = underWay.get(customerId) ?? authenticate(customerId)
      underWay.set(customerId, call)
      return call
    },
  }
}
