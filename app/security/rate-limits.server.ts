import { LRUCache } from "lru-cache"
import type { Logger } from "pino"
import { RateLimiterRes } from "rate-limiter-flexible"
import { DAY, MINUTE, SECOND } from "~/domain/calendar"
import { networkOfOne, ownNetwork } from "~/http/ip-address.server"
import { counterKey, inMemory, type Limiter, type Limiters } from "./rate-limit-store.server"

/** The client that a rate limit counts. */
export type RateLimitSubject = {
  /** Client IP address; null if unknown. */
  readonly address: string | null
  /** Browser id from the session; null for a browser without one. */
  readonly visitor: string | null
  /** Authenticated: attempts of others from the same address do not count against this browser, if it has an id. */
  readonly authenticated: boolean
}

type Place = { readonly address: string | null }

/** `email`: normalized. */
type SignInAttempt = Place & Pick<RateLimitSubject, "visitor"> & { readonly email: string }

/** `known`: the browser has been signed in to the account of this e-mail. */
type SignInMailRequest = SignInAttempt & { readonly known: boolean }

type EmailChangeRequest = Place &
  Pick<RateLimitSubject, "visitor"> & { readonly customerId: string; readonly email: string }

/**
 * Two kinds of attempts have counters that strangers cannot use up. `isSignedIn`: password and code are given again, within a session.
 * `device`: id of a browser in which this operator has signed in; null for any other.
 */
type OperatorAttempt = SignInAttempt & { readonly isSignedIn: boolean; readonly device: string | null }

type OrderAttempt = RateLimitSubject & { readonly email: string | null; readonly key?: string | null }

/** The shop's rate limits. */
export type RateLimits = {
  /** Counts a sign-in attempt. */
  signIn(who: SignInAttempt): Promise<RateLimitResult>
  /** Resets the counters of this e-mail for this client after a successful sign-in. */
  signedIn(who: SignInAttempt): Promise<void>
  /** Releases the attempt, since the password could not be checked. */
  signInUnchecked(who: SignInAttempt): Promise<void>
  /** Counts a sign-in to the console, or password and code given again. */
  operatorSignIn(who: OperatorAttempt): Promise<RateLimitResult>
  /** Resets the counters of this e-mail for this client after the right password and code. */
  operatorSignedIn(who: OperatorAttempt): Promise<void>
  /**
   * Counts a request for a sign-in message. E-mails with and without a customer count alike. A known browser has counters of
   * its own: requests of others for the same e-mail do not lock it out.
   */
  signInMail(who: SignInMailRequest): Promise<RateLimitResult>
  /**
   * Counts an e-mail typed into an order, before the visitor is told that mail to it comes back, or typed with an order number
   * to withdraw from it, or a number for tax before a register is asked for it.
   */
  emailCheck(who: RateLimitSubject): Promise<RateLimitResult>
  /**
   * Counts a change of e-mail that a customer asks for, by browser, customer and address, and by the new e-mail (normalized):
   * nobody's mailbox is filled.
   */
  emailChange(who: EmailChangeRequest): Promise<RateLimitResult>
  /** Counts a typed sign-in code; each request has a limit of its own too (`CODE_TRIES`). */
  signInCode(who: RateLimitSubject): Promise<RateLimitResult>
  /** Counts a new password before it is rated, because rating is expensive. */
  newPassword(who: RateLimitSubject): Promise<RateLimitResult>
  /** Counts a promo code before it is looked up, so that parallel guesses count too. */
  code(who: RateLimitSubject): Promise<RateLimitResult>
  /** Releases the attempt: only unknown codes count. */
  rightCode(who: RateLimitSubject): Promise<void>
  /**
   * Counts an order before it is placed. `email`: normalized. `key`: idempotency key; repeats of a key that was allowed, with the
   * same e-mail, are the same order and count only against a limit of their own, so that pressing again during an outage locks no
   * one out.
   */
  order(who: OrderAttempt): Promise<RateLimitResult>
  /**
   * Counts a payment before it is created at a gateway. `visitor`: browser id, or null. Repeats of an attempt that was
   * allowed count like those of an order: only against a limit of their own.
   */
  payment(request: { orderId: string; attemptId: string; visitor: string | null }): Promise<RateLimitResult>
  /** Counts what a customer asks of the panel: a restart, new credentials or another device. */
  panelCall(serviceId: string): Promise<RateLimitResult>
  /** Counts what a customer decides about the renewal of a service: whether, by what and with which plan. */
  renewalChoice(serviceId: string): Promise<RateLimitResult>
  /** Counts lines that a reseller cancels for their credits: with these, others could be made and cancelled without end. */
  lineCancellation(customerId: string): Promise<RateLimitResult>
  /** Counts an affiliate click. */
  click(address: string | null): Promise<RateLimitResult>
  /** Counts a rejected callback: a flood must not load the database and the log. */
  rejection(from: Place & { gateway: string }): Promise<RateLimitResult>
  /** Counts a call of the served API by client address. */
  apiCall(address: string | null): Promise<RateLimitResult>
  /** Counts a call with an invalid API key. */
  wrongKey(address: string | null): Promise<RateLimitResult>
}

export type RateLimitResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly retryAfterSeconds: number }

/** A limit as the log names it, and whom or what it has counted. Never an e-mail. */
type CountedAttempt = { readonly limit: string } & Readonly<Record<string, string | null>>

/** The result of an attempt that was counted. One that exceeds its limit is logged. */
export async function loggedLimit(
  log: Pick<Logger, "warn">,
  attempt: CountedAttempt,
  counting: Promise<RateLimitResult>,
): Promise<RateLimitResult> {
  const allowed = await counting
  if (!allowed.ok) log.warn(attempt, "rate limit exceeded")
  return allowed
}

/** The error messages say "15 minutes". */
const WITHIN = (15 * MINUTE) / SECOND
const A_MINUTE = MINUTE / SECOND
const A_DAY = DAY / SECOND

/** Limits per address are higher than per browser, since many people may share an address. docs/security.md documents them. */
export const limits = {
  signInsOfAddress: 60,
  /**
   * Per e-mail and client, and per e-mail for all clients: attempts from elsewhere lock an account out only briefly. A
   * client is an address, or a browser behind a private address.
   */
  signInsOfEmail: 6,
  signInsOfEmailAnywhere: 60,
  /** Per e-mail and client, and per e-mail for all clients. */
  operatorSignInsOfEmail: 6,
  operatorSignInsOfEmailAnywhere: 20,
  operatorSignInsOfAddress: 30,
  /** Per e-mail and browser in which the operator has signed in before. */
  operatorSignInsOfDevice: 6,
  /** Password and code given again, per e-mail and client, and per e-mail for all clients. */
  operatorProofsOfEmail: 6,
  operatorProofsOfEmailAnywhere: 20,
  signInMailsOfAddress: 20,
  /** Per e-mail and client, so that nobody uses up the requests of the e-mail's owner. */
  signInMailsOfEmail: 5,
  /** Per e-mail and client, a day. */
  signInMailsOfEmailDaily: 8,
  /** Per e-mail for all unknown clients, a day: nobody's mailbox is filled from many addresses. */
  signInMailsOfEmailAnywhere: 40,
  /** Per e-mail, for the browsers that have been signed in to its account. */
  signInMailsOfKnown: 5,
  emailChecksOfBrowser: 20,
  emailChecksOfAddress: 120,
  emailChangesOfBrowser: 5,
  emailChangesOfCustomer: 5,
  /** A day. */
  emailChangesOfCustomerDaily: 10,
  emailChangesOfAddress: 20,
  /** To one new e-mail, a day. */
  emailChangesToEmail: 10,
  signInCodesOfBrowser: 20,
  signInCodesOfAddress: 120,
  newPasswordsOfBrowser: 30,
  newPasswordsOfAddress: 120,
  wrongCodesOfBrowser: 8,
  wrongCodesOfAddress: 60,
  ordersOfBrowser: 20,
  ordersOfEmail: 20,
  ordersOfAddress: 120,
  paymentsOfOrder: 10,
  paymentsOfBrowser: 30,
  /** Per idempotency key. */
  triesOfOrder: 60,
  /** Per payment attempt. */
  triesOfPayment: 60,
  panelCallsOfService: 20,
  renewalChoicesOfService: 20,
  lineCancellationsOfReseller: 20,
  clicksOfAddress: 300,
  /** Per minute. */
  refusalsOfAddress: 100,
  /** Per minute. A storefront calls for all of its visitors from one address. */
  apiCalls: 6_000,
  wrongKeys: 30,
} as const

/** `limiters`: where attempts are counted; in memory by default. */
export function rateLimits(limiters: Limiters = inMemory): RateLimits {
  const { allowed, lift } = cachedRejections()
  const limiter = (name: keyof typeof limits, seconds = WITHIN) =>
    limiters({ name, points: limits[name], seconds })
  const guess = counted(limiter("wrongCodesOfBrowser"), limiter("wrongCodesOfAddress"))
  const ofEmail = signIns([limiter("signInsOfEmail")], limiter("signInsOfEmailAnywhere"))
  const signInsOfAddress = limiter("signInsOfAddress")
  const signInAttempts = (who: SignInAttempt) => [
    ...ofEmail(who),
    ...byAddress(signInsOfAddress, who.address),
  ]
  const operatorsOfEmail = signIns(
    [limiter("operatorSignInsOfEmail")],
    limiter("operatorSignInsOfEmailAnywhere"),
  )
  const operatorsOfAddress = limiter("operatorSignInsOfAddress")
  const operatorsOfDevice = limiter("operatorSignInsOfDevice")
  const proofsOfEmail = signIns([limiter("operatorProofsOfEmail")], limiter("operatorProofsOfEmailAnywhere"))
  const ofOperator = ({ isSignedIn, device, ...who }: OperatorAttempt): Counted => {
    if (isSignedIn) return proofsOfEmail(who)
    return device === null ? operatorsOfEmail(who) : [[operatorsOfDevice, counterKey(who.email, device)]]
  }
  const mailsOfAddress = limiter("signInMailsOfAddress")
  const mailsOfEmail = signIns(
    [limiter("signInMailsOfEmail"), limiter("signInMailsOfEmailDaily", A_DAY)],
    limiter("signInMailsOfEmailAnywhere", A_DAY),
  )
  const mailsOfKnown = limiter("signInMailsOfKnown")
  const emails = counted(limiter("emailChecksOfBrowser"), limiter("emailChecksOfAddress"))
  const changesOfBrowser = limiter("emailChangesOfBrowser")
  const changesOfCustomer = [limiter("emailChangesOfCustomer"), limiter("emailChangesOfCustomerDaily", A_DAY)]
  const changesOfAddress = limiter("emailChangesOfAddress")
  const changesToEmail = limiter("emailChangesToEmail", A_DAY)
  const codes = counted(limiter("signInCodesOfBrowser"), limiter("signInCodesOfAddress"))
  const ordersOf = orders(limiter("ordersOfBrowser"), limiter("ordersOfEmail"), limiter("ordersOfAddress"))
  const triesOfOrder = limiter("triesOfOrder")
  const triesOfPayment = limiter("triesOfPayment")
  const passwords = counted(limiter("newPasswordsOfBrowser"), limiter("newPasswordsOfAddress"))
  const paymentsOfOrder = limiter("paymentsOfOrder")
  const paymentsOfBrowser = limiter("paymentsOfBrowser")
  const panelCalls = limiter("panelCallsOfService")
  const renewalChoices = limiter("renewalChoicesOfService")
  const lineCancellations = limiter("lineCancellationsOfReseller")
  const clicks = limiter("clicksOfAddress")
  const rejections = limiter("refusalsOfAddress", A_MINUTE)
  const apiCalls = limiter("apiCalls", A_MINUTE)
  const wrongKeys = limiter("wrongKeys")

  /** Counts the first try of a key in `first`, and every try of it in `tries`. */
  async function repeatable(tries: Limiter, key: string, first: Counted): Promise<RateLimitResult> {
    const isRepeat = (await tries.get(key)) !== null
    const counted = isRepeat ? ({ ok: true } as const) : await allowed(first)
    // Counted after the first limits: a rejected first try must not become a repeat.
    return counted.ok ? allowed([[tries, key]]) : counted
  }

  return {
    signIn: (who) => allowed(signInAttempts(who)),
    signedIn: async (who) => {
      lift(ofEmail(who))
      await Promise.all(ofEmail(who).map(([it, key]) => it.delete(key)))
    },
    signInUnchecked: async (who) => {
      lift(signInAttempts(who))
      await Promise.all(signInAttempts(who).map(([it, key]) => it.reward(key)))
    },
    operatorSignIn: (who) =>
      allowed([
        ...ofOperator(who),
        ...(who.isSignedIn || who.device !== null ? [] : byAddress(operatorsOfAddress, who.address)),
      ]),
    operatorSignedIn: async (who) => {
      lift(ofOperator(who))
      await Promise.all(ofOperator(who).map(([it, key]) => it.delete(key)))
    },
    signInMail: ({ known, ...who }) =>
      allowed(
        known
          ? [[mailsOfKnown, counterKey(who.email)]]
          : [...mailsOfEmail(who), ...byAddress(mailsOfAddress, who.address)],
      ),
    emailCheck: (who) => allowed(emails(who)),
    emailChange: ({ visitor, customerId, email, address }) =>
      allowed([
        ...(visitor === null ? [] : [[changesOfBrowser, counterKey(visitor)] as const]),
        ...changesOfCustomer.map((it) => [it, counterKey(customerId)] as const),
        ...byAddress(changesOfAddress, address),
        [changesToEmail, counterKey(email)],
      ]),
    signInCode: (who) => allowed(codes(who)),
    newPassword: (who) => allowed(passwords(who)),
    code: (who) => allowed(guess(who)),
    rightCode: async (who) => {
      lift(guess(who))
      await Promise.all(guess(who).map(([it, key]) => it.reward(key)))
    },
    async order({ key = null, ...who }) {
      if (key === null) return allowed(ordersOf(who))
      // A form brings its key: with another e-mail it is another order.
      return repeatable(triesOfOrder, counterKey(key, who.email), ordersOf(who))
    },
    payment: ({ orderId, attemptId, visitor }) =>
      repeatable(triesOfPayment, counterKey(attemptId), [
        [paymentsOfOrder, counterKey(orderId)],
        ...(visitor === null ? [] : [[paymentsOfBrowser, counterKey(visitor)] as const]),
      ]),
    panelCall: (serviceId) => allowed([[panelCalls, counterKey(serviceId)]]),
    renewalChoice: (serviceId) => allowed([[renewalChoices, counterKey(serviceId)]]),
    lineCancellation: (customerId) => allowed([[lineCancellations, counterKey(customerId)]]),
    click: (address) => allowed(byAddress(clicks, address)),
    rejection: ({ gateway, address }) => allowed([[rejections, counterKey(gateway, placeOf(address))]]),
    apiCall: (address) => allowed([[apiCalls, counterKey(placeOf(address))]]),
    wrongKey: (address) => allowed([[wrongKeys, counterKey(placeOf(address))]]),
  }
}

/** The counters that an attempt increments. */
type Counted = readonly (readonly [limiter: Limiter, key: string])[]

/**
 * Behind a private address all clients look alike, and one client's failures must not lock an account out for the others:
 * there, browsers are counted. A browser without an id falls under the limit over all clients alone.
 */
function signIns(ofClient: readonly Limiter[], anywhere: Limiter) {
  return ({ address, visitor, email }: SignInAttempt): Counted => {
    const place = ownNetwork(address)
    const client = place ?? (visitor === null ? null : `browser ${visitor}`)
    return [
      ...(client === null ? [] : ofClient.map((it) => [it, counterKey(email, client)] as const)),
      [anywhere, counterKey(email)],
    ]
  }
}

/** A browser without an id is counted by its address alone, also when it is signed in: its cookie could be sent again without end. */
function counted(ofBrowser: Limiter, ofAddress: Limiter) {
  return ({ visitor, address, authenticated }: RateLimitSubject): Counted => {
    if (visitor === null) return byAddress(ofAddress, address)
    const own = [ofBrowser, counterKey(visitor)] as const
    return authenticated ? [own] : [own, ...byAddress(ofAddress, address)]
  }
}

function orders(ofBrowser: Limiter, ofEmail: Limiter, ofAddress: Limiter) {
  const ofWho = counted(ofBrowser, ofAddress)
  return ({ email, ...who }: RateLimitSubject & { email: string | null }): Counted => {
    const own = ownNetwork(who.address)
    // Per e-mail and address: orders placed elsewhere with this e-mail must not block its owner.
    const named = email === null || own === null ? [] : [[ofEmail, counterKey(email, own)] as const]
    return [...ofWho(who), ...named]
  }
}

function byAddress(limiter: Limiter, address: string | null): Counted {
  const own = ownNetwork(address)
  return own === null ? [] : [[limiter, counterKey(own)]]
}

/** For limits that count every address; clients with an unknown address share one counter. */
function placeOf(address: string | null): string | null {
  return networkOfOne(address)?.network ?? address
}

/** Exceeded counters that are cached. */
const MAX_REMEMBERED = 10_000

/**
 * Counts an attempt in all of its counters and returns the longest wait. An exceeded counter is cached until it expires:
 * further attempts are rejected without a database query and consume no other limit, such as the one over all clients.
 */
function cachedRejections() {
  /** When each of them ends, by the clock that counts them. */
  const ends = new LRUCache<string, number>({ max: MAX_REMEMBERED })
  const nameOf = (limiter: Limiter, key: string) => `${limiter.keyPrefix} ${key}`
  const rememberedWait = ([limiter, key]: Counted[number]) => {
    const wait = (ends.get(nameOf(limiter, key)) ?? 0) - Date.now()
    return isPossible(limiter, wait) ? wait : 0
  }
  const remembered = (tries: Counted) => Math.max(0, ...tries.map(rememberedWait))
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

/** Milliseconds to wait; 0 when it is allowed. A counter of a wrong clock that was set back since begins anew. */
async function waitOf(limiter: Limiter, key: string): Promise<number> {
  const wait = await consumed(limiter, key)
  if (isPossible(limiter, wait)) return wait
  await limiter.delete(key)
  return consumed(limiter, key)
}

/** Tolerated clock difference between instances, which share counters. */
const CLOCKS_DIFFER = 5 * MINUTE

/** A period that ends later than one that begins now was begun by a clock that has been set back. */
function isPossible({ duration }: Limiter, wait: number): boolean {
  return wait <= duration * SECOND + CLOCKS_DIFFER
}

/** Milliseconds until the counter's period ends; 0 when it is allowed. */
async function consumed(limiter: Limiter, key: string): Promise<number> {
  try {
    await limiter.consume(key)
    return 0
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    return Math.max(1, refused.msBeforeNext)
  }
}
