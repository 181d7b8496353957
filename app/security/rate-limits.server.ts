import { type RateLimiterAbstract, RateLimiterRes } from "rate-limiter-flexible"
import { MINUTE, SECOND } from "~/domain/calendar"
import { networkOfOne } from "~/http/ip-address.server"
import { counterKey, inMemory, type Limiters } from "./rate-limit-store.server"

/** Who tries something, as the limits count him. */
export type Trier = {
  /** Where he comes from; null when it is not known. */
  readonly address: string | null
  /** The name his browser brought along; null for one that has none yet. */
  readonly visitor: string | null
  /** He has proven who he is: what others do at his address is not his doing. */
  readonly proven: boolean
}

type Place = { readonly address: string | null }

/** How often something may be tried. */
export type RateLimits = {
  /** Counts a try to sign in. `email`: as the books write it. */
  signIn(who: Place & { email: string }): Promise<Allowance>
  /** He has proven himself: earlier tries with this e-mail are forgotten. */
  signedIn(who: Place & { email: string }): Promise<void>
  /** Counts a discount code, before it is looked up: guesses that are made at once are counted, too. */
  code(who: Trier): Promise<Allowance>
  /** The code is there: only wrong ones count. */
  rightCode(who: Trier): Promise<void>
  /** Counts an order, before it is written down. `email`: as the books write it. */
  order(who: Trier & { email: string | null }): Promise<Allowance>
  /** Counts a click on an affiliate's link. */
  click(address: string | null): Promise<Allowance>
  /** Counts a refused callback: a flood of them must not keep the books and the log busy. */
  refusal(from: Place & { gateway: string }): Promise<Allowance>
  /** Counts a call of the served API, by where it comes from. */
  apiCall(address: string | null): Promise<Allowance>
  /** Counts a call whose key is none of ours: nobody may try keys for long. */
  wrongKey(address: string | null): Promise<Allowance>
}

export type Allowance = { readonly ok: true } | { readonly ok: false; readonly retryAfterSeconds: number }

/** The words that refuse say "15 minutes". */
const WITHIN = (15 * MINUTE) / SECOND
const A_MINUTE = MINUTE / SECOND

/** Many people may share one address; one browser has one owner. SECURITY.md has the same table in words. */
export const limits = {
  signInsOfAddress: 60,
  /** Of one e-mail from one address, and from everywhere: nobody is shut out by what is tried elsewhere for long. */
  signInsOfEmail: 6,
  signInsOfEmailAnywhere: 60,
  wrongCodesOfBrowser: 8,
  wrongCodesOfAddress: 60,
  ordersOfBrowser: 20,
  ordersOfEmail: 20,
  ordersOfAddress: 120,
  clicksOfAddress: 300,
  /** In a minute. */
  refusalsOfAddress: 100,
  /** In a minute. A shop asks for all of its visitors from one address. */
  apiCalls: 6_000,
  wrongKeys: 30,
} as const

/** Counted in this process unless `limiters` says where. */
export function rateLimits(limiters: Limiters = inMemory): RateLimits {
  const limiter = (name: keyof typeof limits, seconds = WITHIN) =>
    limiters({ name, points: limits[name], seconds })
  const guess = counted(limiter("wrongCodesOfBrowser"), limiter("wrongCodesOfAddress"))
  const clicks = limiter("clicksOfAddress")
  const refusals = limiter("refusalsOfAddress", A_MINUTE)
  const apiCalls = limiter("apiCalls", A_MINUTE)
  const wrongKeys = limiter("wrongKeys")
  return {
    ...signIns(limiter("signInsOfAddress"), limiter("signInsOfEmail"), limiter("signInsOfEmailAnywhere")),
    code: (who) => allowed(guess(who)),
    rightCode: async (who) => void (await Promise.all(guess(who).map(([it, key]) => it.reward(key)))),
    order: orders(limiter("ordersOfBrowser"), limiter("ordersOfEmail"), limiter("ordersOfAddress")),
    click: (address) => allowed(inPlace(clicks, address)),
    refusal: ({ gateway, address }) => allowed([[refusals, counterKey(gateway, placeOf(address))]]),
    apiCall: (address) => allowed([[apiCalls, counterKey(placeOf(address))]]),
    wrongKey: (address) => allowed([[wrongKeys, counterKey(placeOf(address))]]),
  }
}

/** What is counted where: all that a try costs. */
type Counted = readonly (readonly [limiter: RateLimiterAbstract, key: string])[]

function signIns(
  ofAddress: RateLimiterAbstract,
  ofEmail: RateLimiterAbstract,
  anywhere: RateLimiterAbstract,
): Pick<RateLimits, "signIn" | "signedIn"> {
  const here = ({ address, email }: Place & { email: string }) => counterKey(email, placeOf(address))
  return {
    signIn: (who) =>
      allowed([[ofEmail, here(who)], [anywhere, counterKey(who.email)], ...inPlace(ofAddress, who.address)]),
    signedIn: async (who) =>
      void (await Promise.all([ofEmail.delete(here(who)), anywhere.delete(counterKey(who.email))])),
  }
}

/** A browser without a name is counted by its address alone: others come without one, too. */
function counted(ofBrowser: RateLimiterAbstract, ofAddress: RateLimiterAbstract) {
  return ({ visitor, address, proven }: Trier): Counted => [
    ...(visitor === null ? [] : [[ofBrowser, counterKey(visitor)] as const]),
    ...(proven ? [] : inPlace(ofAddress, address)),
  ]
}

function orders(
  ofBrowser: RateLimiterAbstract,
  ofEmail: RateLimiterAbstract,
  ofAddress: RateLimiterAbstract,
): RateLimits["order"] {
  const ofWho = counted(ofBrowser, ofAddress)
  return ({ email, ...who }) => {
    const own = ownPlace(who.address)
    // Only from here: whoever orders in somebody's name must not keep him from ordering.
    const named = email === null || own === null ? [] : [[ofEmail, counterKey(email, own)] as const]
    return allowed([...ofWho(who), ...named])
  }
}

function inPlace(limiter: RateLimiterAbstract, address: string | null): Counted {
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

/** Counts a try everywhere, and answers the longest wait. */
async function allowed(tries: Counted): Promise<Allowance> {
  const waits = await Promise.all(tries.map(([limiter, key]) => waitOf(limiter, key)))
  const wait = Math.max(0, ...waits)
  return wait === 0 ? { ok: true } : { ok: false, retryAfterSeconds: Math.ceil(wait / SECOND) }
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
