import { hash } from "node:crypto"
import { createContext } from "react-router"
import { z } from "zod"
import type { RouteContext } from "~/context/route-context"
import { type Instant, MINUTE } from "~/domain/calendar"
import { numberAnswers } from "~/domain/customers/business"
import { type Customer, type Proof, proofs } from "~/domain/customers/customer"
import { normalizeEmail } from "~/domain/customers/email"
import { LINK_PERIOD } from "~/domain/customers/sign-in-request"
import { type Currency, currencies } from "~/domain/money/money"
import { emptyChoices } from "~/domain/orders/choices"
import { createsService, type Order } from "~/domain/orders/order"
import { draftSteps } from "~/domain/orders/purchase-step"
import { gatewayIds } from "~/domain/payments/gateway-id"

const Choices = z.object({
  // Missing in cookies from before the reseller checkout.
  kind: z.enum(["plan", "reseller"]).default("plan"),
  plan: z.string().nullable(),
  extraConnection: z.boolean(),
  proxyProtection: z.boolean(),
  promoCode: z.string().nullable(),
  email: z.string().nullable(),
  gateway: z.enum(gatewayIds).nullable(),
  coin: z.string().nullable().default(null),
})

/** Contents of the session cookie: ids and choices, never a password. */
const CheckoutSession = z.object({
  /** Random id by which the session can be ended on the server; null until it is written. */
  id: z.string().nullable().default(null),
  choices: Choices,
  /** The draft order: its idempotency key, and the total that the buyer agreed to, in minor units. */
  draft: z
    .object({
      key: z.string(),
      total: z.number().int(),
      /** Currency of that total as it was shown; missing: that of the session. */
      currency: z.enum(currencies).optional(),
      /** The credits of the reseller plan that the buyer agreed to. */
      credits: z.number().int().optional(),
      /** The account credit that the page showed, in minor units. */
      credit: z.number().int().optional(),
      /** When the buyer made the declarations that the law of the country asks for. */
      declaredAt: z.number().optional(),
    })
    .nullable(),
  /** A promo code that was typed, and not sent, when the language was changed. */
  typedCode: z.string().optional(),
  /** The steps of the draft that have been counted; missing: none. */
  countedSteps: z.array(z.enum(draftSteps)).optional(),
  /** The current order: the one this browser placed or resumed last. */
  orderId: z.string().nullable(),
  /** Services this browser has bought or resumed, newest first. */
  serviceIds: z.array(z.string()),
  /** The current order belongs to the signed-in customer and is removed at sign-out. */
  orderByProof: z.boolean().default(false),
  /** The selected service. Ownership is checked on every request. */
  serviceId: z.string().nullable(),
  /** The authenticated customer (specification, Identity). */
  customer: z
    .object({
      id: z.string(),
      email: z.string(),
      currency: z.enum(currencies),
      // Cookies from before sign-ups: the whole account was authenticated.
      reach: z.enum(["account", "sign-up"]).default("account"),
      // Cookies from before password ids: a sign-up without one has access to nothing.
      passwordId: z.string().optional(),
    })
    .nullable(),
  /** How and when the customer was authenticated. Cookies without it count as signed out. */
  proof: z
    .object({ how: z.enum(proofs), at: z.number() })
    .nullable()
    .default(null),
  /** Currency of the prices, fixed at the first choice. */
  currency: z.enum(currencies).nullable(),
  /** Country that the buyer has chosen, in a shop that taxes by it. */
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  /** Region of that country with taxes of its own. */
  region: z.string().max(40).optional(),
  /** Country that the buyer has confirmed, asked because their address is of another one. */
  confirmedCountry: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  /** The business that buys, in a shop that taxes. */
  business: z
    .object({
      company: z.string(),
      address: z.array(z.string()).readonly(),
      taxNumber: z.string(),
      check: z.object({ result: z.enum(numberAnswers), at: z.number(), requestId: z.string().nullable() }),
    })
    .optional(),
  /** The browser's id for rate limits, set at the first counted attempt. */
  visitor: z.string().nullable().default(null),
  /** Digest of the e-mail of the account that this browser was signed in to last, for rate limits. */
  knownAccount: z.string().nullable().default(null),
  /** The sign-in message that this browser has asked for. */
  pendingSignIn: z
    .object({
      /** The request's id. */
      id: z.string(),
      /** As typed. */
      email: z.string(),
      at: z.number(),
      /** Path and query of the page that asked for the sign-in; null if they are too long. */
      path: z.string().nullable(),
    })
    .nullable()
    .default(null),
  /** The order whose service this browser was shown for the first time, and when. */
  welcome: z.object({ orderId: z.string(), at: z.number() }).optional(),
  /** The order that this browser withdraws from: its number and e-mail have been typed here. */
  withdrawalOf: z.string().optional(),
  /** A sign-in link invalidated the password of a sign-up; shown until the customer sets a new one. */
  passwordEnded: z.boolean().optional(),
})

/**
 * `sealedAt`: when the session was last known not to be ended. A browser deletes an expired cookie but a copy remains, so
 * the session carries its own age.
 */
export const SealedSession = CheckoutSession.extend({ sealedAt: z.number() })

export type CheckoutSession = z.output<typeof SealedSession>

export const emptySession: CheckoutSession = {
  id: null,
  choices: emptyChoices,
  draft: null,
  orderId: null,
  orderByProof: false,
  serviceIds: [],
  serviceId: null,
  customer: null,
  proof: null,
  currency: null,
  visitor: null,
  knownAccount: null,
  pendingSignIn: null,
  sealedAt: 0,
}

const MAX_SERVICES = 8

/** A page that is loaded again so soon, by a poll or by its script, is the same look at it. */
const FIRST_LOOK = MINUTE

/** Whether a page shows the service of an order for the first time in this browser. */
export function isFirstLook({ welcome }: CheckoutSession, orderId: string, now: Instant): boolean {
  return welcome?.orderId !== orderId || now - welcome.at < FIRST_LOOK
}

/** The session after the first look at the service of an order. */
export function withFirstLook(session: CheckoutSession, orderId: string, now: Instant): CheckoutSession {
  return session.welcome?.orderId === orderId ? session : { ...session, welcome: { orderId, at: now } }
}

/**
 * Sets an order that this browser placed as the current one; the selected service becomes the order's (specification, Orders:
 * new order). An upsell or a renewal gives the browser no additional access to the service.
 */
export function withOrder(
  session: CheckoutSession,
  order: Pick<Order, "id" | "kind" | "serviceId">,
): CheckoutSession {
  const current = {
    ...session,
    orderId: order.id,
    orderByProof: false,
    serviceId: null,
    passwordEnded: undefined,
  }
  if (!createsService(order)) return current
  return { ...current, serviceIds: withService(session, order) }
}

/**
 * Sets an order from another browser as the current one, in the first browser that resumes it. A renewal may have been placed
 * by a link that opens nothing else, so it gives no access to its service. Nor do a top-up and a change of plan, whose buyer has it.
 */
export function withResumedOrder(
  session: CheckoutSession,
  order: Pick<Order, "id" | "kind" | "serviceId">,
): CheckoutSession {
  const current = withOrder(session, order)
  const opensNothing = !createsService(order) && order.kind !== "upsell"
  return opensNothing ? current : { ...current, serviceIds: withService(session, order) }
}

function withService({ serviceIds }: CheckoutSession, { serviceId }: Pick<Order, "serviceId">): string[] {
  return [serviceId, ...serviceIds.filter((id) => id !== serviceId)].slice(0, MAX_SERVICES)
}

/** Sets an order as the current one for as long as its customer is signed in. */
export function withAuthenticatedOrder(session: CheckoutSession, { id }: Pick<Order, "id">): CheckoutSession {
  return { ...session, orderId: id, orderByProof: true, serviceId: null }
}

/** Signs a customer in. Removes what another customer left in this session. */
export function signedIn(session: CheckoutSession, customer: Customer, proof: Proof): CheckoutSession {
  const { id, email, currency, reach, passwordId } = customer
  const isAnother = session.customer !== null && session.customer.id !== id
  const before = isAnother ? forgotten(session) : session
  return {
    ...before,
    customer: { id, email, currency, reach, ...(passwordId && { passwordId }) },
    proof,
    knownAccount: knownAccountOf(before),
    choices: { ...before.choices, email },
    // The account's currency counts from now on, until the customer chooses another one.
    currency: session.customer?.id === id ? session.currency : null,
    pendingSignIn: null,
    passwordEnded: undefined,
  }
}

/**
 * Signs out: removes everything of the customer (specification, Orders) and keeps the selection. The digest of
 * the account's e-mail stays for rate limits.
 */
export function signedOut(session: CheckoutSession): CheckoutSession {
  const { choices } = session
  return {
    ...forgotten(session),
    knownAccount: knownAccountOf(session),
    choices: { ...choices, email: null },
  }
}

/** Currency of the signed-in customer's account; null without one, or if the selection is for another e-mail, and so for another account. */
export function accountCurrency({ customer, choices: { email } }: CheckoutSession): Currency | null {
  if (customer === null) return null
  const isOwn = email === null || normalizeEmail(email) === normalizeEmail(customer.email)
  return isOwn ? customer.currency : null
}

/** Corrects the currency of the signed-in customer's account, which billing has changed since the sign-in. */
export function withAccountCurrency(session: CheckoutSession, currency: Currency): CheckoutSession {
  const { customer } = session
  return customer === null ? session : { ...session, customer: { ...customer, currency } }
}

/** Whether this browser is or was signed in to the account of an e-mail. Orders prove nothing: anyone may type an e-mail. */
export function isKnownBrowser(session: CheckoutSession, email: string): boolean {
  return knownAccountOf(session) === digestOf(email)
}

/** Digest of the account's e-mail to which the browser is or was signed in, for rate limits; null: none. */
export function knownAccountOf({ customer, knownAccount }: CheckoutSession): string | null {
  return customer?.reach === "account" ? digestOf(customer.email) : knownAccount
}

/** A digest, because two long e-mails more would not fit into the cookie. */
function digestOf(email: string): string {
  return hash("sha256", normalizeEmail(email), "base64url")
}

/** Empties the session. The browser id stays, so that rate limits go on counting. */
export function forgotten({ visitor }: CheckoutSession): CheckoutSession {
  return { ...emptySession, visitor }
}

/** Longest path that fits into the cookie with the longest e-mails. */
const MAX_PATH = 160

/** Asks for a sign-in message. The session gets an id, to which the message's code is bound. */
export function askingToSignIn(
  session: CheckoutSession,
  { sessionId, ...pending }: PendingSignIn & { readonly sessionId: string },
): CheckoutSession {
  const path = pending.path && pending.path.length <= MAX_PATH ? pending.path : null
  return { ...session, id: sessionId, pendingSignIn: { ...pending, path } }
}

export type PendingSignIn = NonNullable<CheckoutSession["pendingSignIn"]>

/** The message that this browser waits for; null once its link has expired. */
export function pendingSignInOf({ pendingSignIn }: CheckoutSession, now: Instant): PendingSignIn | null {
  return pendingSignIn !== null && now - pendingSignIn.at < LINK_PERIOD ? pendingSignIn : null
}

/** Whether a session gives access to an account, an order or a service. */
export function leadsToSomething({ customer, orderId, serviceIds }: CheckoutSession): boolean {
  return customer !== null || orderId !== null || serviceIds.length > 0
}

/** Empty until the session middleware has opened the cookie. */
export const sessionContext = createContext<CheckoutSession>(emptySession)

/** Result of the look-up whether the session has been ended; `unknown` without a look-up. */
export const sessionStateContext = createContext<"unknown" | "live" | "ended">("unknown")

/** Replaces parts of the session. The session middleware writes the cookie with the response. */
export function updateSession(context: RouteContext, changes: Partial<CheckoutSession>): void {
  context.set(sessionContext, { ...context.get(sessionContext), ...changes })
}
