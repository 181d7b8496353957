import { createContext, type RouterContextProvider } from "react-router"
import { z } from "zod"
import { emptyChoices } from "~/domain/choices"
import { type Customer, type Proof, proofs } from "~/domain/customer"
import { gatewayIds } from "~/domain/gateway-id"
import { currencies } from "~/domain/money"
import type { Order } from "~/domain/order"

const Choices = z.object({
  // Sessions of before resellers had a way of their own do not say.
  kind: z.enum(["plan", "reseller"]).default("plan"),
  plan: z.string().nullable(),
  extraConnection: z.boolean(),
  proxyProtection: z.boolean(),
  promoCode: z.string().nullable(),
  email: z.string().nullable(),
  gateway: z.enum(gatewayIds).nullable(),
  coin: z.string().nullable().default(null),
})

/** What a visitor's browser remembers for us: ids and choices, never lists, never a password. */
const CheckoutSession = z.object({
  /** A random name, by which the session can be ended before its cookie has run out; null until it is written. */
  id: z.string().nullable().default(null),
  choices: Choices,
  /** The purchase being made: its one-time key, and the total it was agreed at, in minor units. */
  draft: z.object({ key: z.string(), total: z.number().int() }).nullable(),
  /** The order in hand: the one this browser made, or came back to, last. */
  orderId: z.string().nullable(),
  /** Services this browser has bought or come back to, the newest first. */
  serviceIds: z.array(z.string()),
  /** The order in hand is there only because of who has proven himself, and is gone when that is over. */
  orderByProof: z.boolean().default(false),
  /** The service to look at: whether it is this visitor's is asked anew each time. */
  serviceId: z.string().nullable(),
  /** Who has proven himself (design, section 6). */
  customer: z
    .object({
      ...{ id: z.string(), email: z.string(), currency: z.enum(currencies) },
      // Before sign-ups, everybody had proven his whole account.
      reach: z.enum(["account", "sign-up"]).default("account"),
      // Before passwords had ids, a sign-up's did not say which it was: nothing is in its scope.
      passwordId: z.string().optional(),
    })
    .nullable(),
  /** How and when he has. Sessions of before it was kept have nobody who has proven himself. */
  proof: z
    .object({ how: z.enum(proofs), at: z.number() })
    .nullable()
    .default(null),
  /** What prices are in, since the first choice was made. */
  currency: z.enum(currencies).nullable(),
  /** The name under which this browser's tries are counted, since it first tried something. */
  visitor: z.string().nullable().default(null),
  /** The customer's link has ended a password that he is told of, until he does something about it. */
  passwordEnded: z.boolean().optional(),
})

/**
 * `sealedAt`: as of when the session was known not to have been ended. A browser forgets a cookie in time; whoever has a
 * copy does not, so the session says itself how old it is.
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
  sealedAt: 0,
}

const MOST_SERVICES = 8

/**
 * An order that this browser has made as the one in hand; the stored service gives way to the order's (spec, section 4:
 * new order). More for a service that is there already makes that no more this browser's own than it was.
 */
export function withOrder(
  session: CheckoutSession,
  order: Pick<Order, "id" | "kind" | "serviceId">,
): CheckoutSession {
  const inHand = {
    ...session,
    orderId: order.id,
    orderByProof: false,
    serviceId: null,
    passwordEnded: undefined,
  }
  if (order.kind === "upsell") return inHand
  return { ...inHand, serviceIds: withService(session, order) }
}

/** An order of another browser's as the one in hand of the first in which its buyer has come back. */
export function withResumedOrder(
  session: CheckoutSession,
  order: Pick<Order, "id" | "kind" | "serviceId">,
): CheckoutSession {
  return { ...withOrder(session, order), serviceIds: withService(session, order) }
}

function withService({ serviceIds }: CheckoutSession, { serviceId }: Pick<Order, "serviceId">): string[] {
  return [serviceId, ...serviceIds.filter((id) => id !== serviceId)].slice(0, MOST_SERVICES)
}

/** An order as the one in hand of whoever has proven that it is his, for as long as that holds. */
export function withProvenOrder(session: CheckoutSession, { id }: Pick<Order, "id">): CheckoutSession {
  return { ...session, orderId: id, orderByProof: true, serviceId: null }
}

/** Somebody has proven who he is. What another customer has left in this browser is not for him. */
export function signedIn(session: CheckoutSession, customer: Customer, proof: Proof): CheckoutSession {
  const { id, email, currency, reach, passwordId } = customer
  const isAnother = session.customer !== null && session.customer.id !== id
  const before = isAnother ? forgotten(session) : session
  return {
    ...before,
    customer: { id, email, currency, reach, ...(passwordId && { passwordId }) },
    proof,
    choices: { ...before.choices, email },
    passwordEnded: undefined,
  }
}

/** All that is to be forgotten when a customer signs out (spec, section 4); what he was about to choose stays. */
export function signedOut(session: CheckoutSession): CheckoutSession {
  return { ...forgotten(session), choices: { ...session.choices, email: null } }
}

/** Nothing of the visitor's own is left; only his tries are still counted under the same name. */
export function forgotten({ visitor }: CheckoutSession): CheckoutSession {
  return { ...emptySession, visitor }
}

/** Whether a session leads to anything of a customer's: to his account, or to what this browser has ordered. */
export function leadsToSomething({ customer, orderId, serviceIds }: CheckoutSession): boolean {
  return customer !== null || orderId !== null || serviceIds.length > 0
}

/** Before it has been opened (a page that does not even get so far) a session is empty. */
export const sessionContext = createContext<CheckoutSession>(emptySession)

/** Whether the session is known not to have been ended; `unknown` where nobody has looked. */
export const sessionStandingContext = createContext<"unknown" | "live" | "ended">("unknown")

/** Replaces parts of the session; the middleware writes the cookie when the response goes out. */
export function updateSession(
  context: Readonly<RouterContextProvider>,
  changes: Partial<CheckoutSession>,
): void {
  context.set(sessionContext, { ...context.get(sessionContext), ...changes })
}
