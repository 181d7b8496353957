import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible"
import { MINUTE, SECOND } from "./domain/calendar"

/** How often something may be tried. */
export type RateLimits = {
  /** Counts a try to sign in. `address`: where it comes from. `email`: as the books write it. */
  signIn(who: { address: string | null; email: string }): Promise<Allowance>
  /** He has proven himself: earlier tries with this e-mail are forgotten. */
  signedIn(email: string): Promise<void>
  /** Counts a refused callback: a flood of them must not keep the books busy with writing them down. */
  refusal(gateway: string): Promise<Allowance>
  /** Counts a call of the served API, by where it comes from. */
  apiCall(address: string | null): Promise<Allowance>
  /** Counts a call whose key is none of ours: nobody may try keys for long. */
  wrongKey(address: string | null): Promise<Allowance>
}

export type Allowance = { readonly ok: true } | { readonly ok: false; readonly retryAfterSeconds: number }

const WITHIN = (15 * MINUTE) / SECOND
/** Many people share one address; one account has one owner. */
const PER_ADDRESS = 30
const PER_EMAIL = 6
const REFUSALS_PER_MINUTE = 100
/** A shop asks for all of its visitors from one address. */
const API_CALLS_PER_MINUTE = 6_000
const WRONG_KEYS = 30

/** Callers whose address is not known are counted together. */
const NOWHERE = "unknown"

/** Counted in this process: each instance of a shop allows as much again. */
export function rateLimits(): RateLimits {
  const byAddress = new RateLimiterMemory({ points: PER_ADDRESS, duration: WITHIN })
  const byEmail = new RateLimiterMemory({ points: PER_EMAIL, duration: WITHIN })
  const refusals = new RateLimiterMemory({ points: REFUSALS_PER_MINUTE, duration: MINUTE / SECOND })
  const apiCalls = new RateLimiterMemory({ points: API_CALLS_PER_MINUTE, duration: MINUTE / SECOND })
  const wrongKeys = new RateLimiterMemory({ points: WRONG_KEYS, duration: WITHIN })
  return {
    apiCall: (address) => tried(apiCalls, address ?? NOWHERE),
    wrongKey: (address) => tried(wrongKeys, address ?? NOWHERE),
    refusal: (gateway) => tried(refusals, gateway),
    async signIn({ address, email }) {
      const answers = await Promise.all([
        address === null ? null : tried(byAddress, address),
        tried(byEmail, email),
      ])
      return answers.find((it) => it?.ok === false) ?? { ok: true }
    },
    signedIn: async (email) => void (await byEmail.delete(email)),
  }
}

async function tried(limiter: RateLimiterMemory, key: string): Promise<Allowance> {
  try {
    await limiter.consume(key)
    return { ok: true }
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    return { ok: false, retryAfterSeconds: Math.ceil(refused.msBeforeNext / SECOND) }
  }
}
