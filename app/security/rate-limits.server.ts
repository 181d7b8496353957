import { LRUCache } from "lru-cache"
import { type RateLimiterAbstract, RateLimiterRes } from "rate-limiter-flexible"
import { MINUTE, SECOND } from "~/domain/calendar"
import { networkOfOne } from "~/http/ip-address.server"
import { counterKey, inMemory, type Limiters } from "./rate-limit-store.server"

/** Who tries something, as the limits count him. */
export type RateLimitSubject = {
  /** Where he comes from; null when it is not known. */
  readonly address: string | null
  /** The name his browser brought along; null for one that has none yet. */
  readonly visitor: string | null
  /** He has proven who he is: what others do at his address is not his doing. */
  readonly authenticated: boolean
}

type Place = { readonly address: string | null }

/** `email`: as the database stores it. */
type SignInAttempt = Place & Pick<RateLimitSubject, "visitor"> & { readonly email: string }

/** How often something may be tried. */
export type RateLimits = {
  /** Counts a try to sign in. */
  signIn(who: SignInAttempt): Promise<RateLimitResult>
  /** The client has proven who it is: earlier tries with this e-mail are forgotten. */
  signedIn(who: SignInAttempt): Promise<void>
  /** The password could not be checked: the try is given back. */
  signInUnchecked(who: SignInAttempt): Promise<void>
  /** Counts a new password, before it is rated: rating is expensive, and weak ones are refused often. */
  newPassword(who: RateLimitSubject): Promise<RateLimitResult>
  /** Counts a discount code, before it is looked up: guesses that are made at once are counted, too. */
  code(who: RateLimitSubject): Promise<RateLimitResult>
  /** The code is there: only wrong ones count. */
  rightCode(who: RateLimitSubject): Promise<void>
  /** Counts an order, before it is written down. `email`: as the books write it. */
  order(who: RateLimitSubject & { email: string | null }): Promise<RateLimitResult>
  /** Counts a payment that a gateway is about to be asked to open. `visitor`: the browser's name, if it has one. */
  payment(wish: { orderId: string; visitor: string | null }): Promise<RateLimitResult>
  /** Counts a click on an affiliate's link. */
  click(address: string | null): Promise<RateLimitResult>
  /** Counts a refused callback: a flood of them must not keep the books and the log busy. */
  refusal(from: Place & { gateway: string }): Promise<RateLimitResult>
  /** Counts a call of the served API, by where it comes from. */
  apiCall(address: string | null): Promise<RateLimitResult>
  /** Counts a call whose key is none of ours: nobody may try keys for long. */
  wrongKey(address: string | null): Promise<RateLimitResult>
}

export type RateLimitResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly retryAfterSeconds: number }

/** The words that refuse say "15 minutes". */
const WITHIN = (15 * MINUTE) / SECOND
const A_MINUTE = MINUTE / SECOND

/** Many people may share one address; one browser has one owner. SECURITY.md has the same table in words. */
export const limits = {
  signInsOfAddress: 60,
  /**
   * Of one e-mail by one client, and by all: no one is shut out by what is tried elsewhere for long. A client is an
   * address, or a browser where addresses are not told apart.
   */
  signInsOfEmail: 6,
  signInsOfEmailAnywhere: 60,
  newPasswordsOfBrowser: 30,
  newPasswordsOfAddress: 120,
  wrongCodesOfBrowser: 8,
  wrongCodesOfAddress: 60,
  ordersOfBrowser: 20,
  ordersOfEmail: 20,
  ordersOfAddress: 120,
  paymentsOfOrder: 10,
  paymentsOfBrowser: 30,
  clicksOfAddress: 300,
  /** In a minute. */
  refusalsOfAddress: 100,
  /** In a minute. A shop asks for all of its visitors from one address. */
  apiCalls: 6_000,
  wrongKeys: 30,
} as const

/** Counted in this process unless `limiters` says where. */
export function rateLimits(limiters: Limiters = inMemory): RateLimits {
  const { allowed, lift } = rememberedRefusals()
  const limiter = (name: keyof typeof limits, seconds = WITHIN) =>
    limiters({ name, points: limits[name], seconds })
  const guess = counted(limiter("wrongCodesOfBrowser"), limiter("wrongCodesOfAddress"))
  const ofEmail = signIns(limiter("signInsOfEmail"), limiter("signInsOfEmailAnywhere"))
  const signInsOfAddress = limiter("signInsOfAddress")
  const signInTries = (who: SignInAttempt) => [
    ...ofEmail(who),
    ...interstitial(signInsOfAddress, who.address),
  ]
  const ordersOf = orders(limiter("ordersOfBrowser"), limiter("ordersOfEmail"), limiter("ordersOfAddress"))
  const passwords = counted(limiter("newPasswordsOfBrowser"), limiter("newPasswordsOfAddress"))
  const paymentsOfOrder = limiter("paymentsOfOrder")
  const paymentsOfBrowser = limiter("paymentsOfBrowser")
  const clicks = limiter("clicksOfAddress")
  const refusals = limiter("refusalsOfAddress", A_MINUTE)
  const apiCalls = limiter("apiCalls", A_MINUTE)
  const wrongKeys = limiter("wrongKeys")
  return {
    signIn: (who) => allowed(signInTries(who)),
    signedIn: async (who) => {
      lift(ofEmail(who))
      await Promise.all(ofEmail(who).map(([it, key]) => it.delete(key)))
    },
    signInUnchecked: async (who) => {
      lift(signInTries(who))
      await Promise.all(signInTries(who).map(([it, key]) => it.reward(key)))
    },
    newPassword: (who) => allowed(passwords(who)),
    code: (who) => allowed(guess(who)),
    rightCode: async (who) => {
      lift(guess(who))
      await Promise.all(guess(who).map(([it, key]) => it.reward(key)))
    },
    order: (who) => allowed(ordersOf(who)),
    payment: ({ orderId, visitor }) =>
      allowed([
        [paymentsOfOrder, counterKey(orderId)],
        ...(visitor === null ? [] : [[paymentsOfBrowser, counterKey(visitor)] as const]),
      ]),
    click: (address) => allowed(interstitial(clicks, address)),
    refusal: ({ gateway, address }) => allowed([[refusals, counterKey(gateway, placeOf(address))]]),
    apiCall: (address) => allowed([[apiCalls, counterKey(placeOf(address))]]),
    wrongKey: (address) => allowed([[wrongKeys, counterKey(placeOf(address))]]),
  }
}

/** What is counted where: all that a try costs. */
type Counted = readonly (readonly [limiter: RateLimiterAbstract, key: string])[]

/**
 * Where addresses are not told apart, one person's mistakes must not shut everybody out of an account: there a browser
 * is what is counted. One without a name is held by the limit over all clients alone.
 */
function signIns(ofClient: RateLimiterAbstract, anywhere: RateLimiterAbstract) {
  return ({ address, visitor, email }: SignInAttempt): Counted => {
    const place = ownPlace(address)
    const client = place ?? (visitor === null ? null : `browser ${visitor}`)
    return [
      ...(client === null ? [] : [[ofClient, counterKey(email, client)] as const]),
      [anywhere, counterKey(email)],
    ]
  }
}

/** A browser without a name is counted by its address alone: others come without one, too. */
function counted(ofBrowser: RateLimiterAbstract, ofAddress: RateLimiterAbstract) {
  return ({ visitor, address, authenticated }: RateLimitSubject): Counted => [
    ...(visitor === null ? [] : [[ofBrowser, counterKey(visitor)] as const]),
    ...(authenticated ? [] : interstitial(ofAddress, address)),
  ]
}

function orders(
  ofBrowser: RateLimiterAbstract,
  ofEmail: RateLimiterAbstract,
  ofAddress: RateLimiterAbstract,
) {
  const ofWho = counted(ofBrowser, ofAddress)
  return ({ email, ...who }: RateLimitSubject & { email: string | null }): Counted => {
    const own = ownPlace(who.address)
    // Only from here: whoever orders in somebody's name must not keep him from ordering.
    const named = email === null || own === null ? [] : [[ofEmail, counterKey(email, own)] as const]
    return [...ofWho(who), ...named]
  }
}

function interstitial(limiter: RateLimiterAbstract, address: string | null): Counted {
  const own = ownPlace(address)
  return own === null ? [] : [[limiter, counterKey(own)]]
}

/** Behind a private or loopback address stands a proxy that nobody has named: counting it would shut out everybody. */
function ownPlace(address: string | null): string | null {
  const place = networkOfOne(address)
  return place?.isOwn ? place.network : null
}

/** For what is worth counting wherever it comes from; those of whom nothing is known are counted together. */
function placeOf(address: string | null): string | null {
  return networkOfOne(address)?.network ?? address
}

/** So many counters are known at once to be over their limit. */
const MAX_REMEMBERED = 10_000

/**
 * Counts a try in all of its counters, and answers the longest wait. A counter that is over its limit is remembered
 * until that ends: who goes on trying is refused without asking the database again, and uses up no other limit, such as
 * what all clients together may try of one e-mail.
 */
function rememberedRefusals() {
  /** When each of them ends, by the clock that counts them. */
  const ends = new LRUCache<string, number>({ max: MAX_REMEMBERED })
  const nameOf = (limiter: RateLimiterAbstract, key: string) => `${limiter.keyPrefix} ${key}`
  const remembered = (tries: Counted) =>
    Math.max(0, ...tries.map(([limiter, key]) => (ends.get(nameOf(limiter, key)) ?? 0) - Date.now()))
  const counted = async ([limiter, key]: Counted[number]) => {
    const wait = await waitOf(limiter, key)
    if (wait > 0) ends.set(nameOf(limiter, key), Date.now() + wait)
    return wait
  }
  return {
    async allowed(tries: Counted): Promise<RateLimitResult> {
      const wait = remembered(tries) || Math.max(0, ...(await Promise.all(tries.map(counted))))
      return wait === 0 ? { ok: true } : { ok: false, retryAfterSeconds: Math.ceil(wait / SECOND) }
    },
    /** Points have been given back: the next try looks them up. */
    lift(tries: Counted): void {
      for (const [limiter, key] of tries) ends.delete(nameOf(limiter, key))
    },
  }
}

/** Milliseconds to wait; 0 when it is allowed. */
async function waitOf(limiter: RateLimiterAbstract, key: string): Promise<number> {
  try {
    await limiter.consume(key)
    return 0
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    return Math.max(1, refused.msBeforeNext)
  }
}
