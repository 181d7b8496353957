import { createContext, type RouterContextProvider } from "react-router"
import { z } from "zod"
import { DAY, type Instant, SECOND } from "~/domain/calendar"
import { noChoices } from "~/domain/choices"
import type { Customer } from "~/domain/customer"
import { gatewayIds } from "~/domain/gateway-id"
import { currencies } from "~/domain/money"
import type { Order } from "~/domain/order"
import type { Seal } from "~/security/cookie-encryption.server"

/** 30 days (spec, section 9), in seconds. */
export const SESSION_SECONDS = (30 * DAY) / SECOND

/** Browsers keep no cookie over 4 KB; a longer session is not written at all. */
const MOST_BYTES = 3_800

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
  choices: Choices,
  /** The purchase being made: its one-time key, and the total it was agreed at, in minor units. */
  draft: z.object({ key: z.string(), total: z.number().int() }).nullable(),
  /** The order in hand: the one this browser made, or came back to, last. */
  orderId: z.string().nullable(),
  /** Services this browser has bought or come back to, the newest first. */
  serviceIds: z.array(z.string()),
  /** The service to look at: whether it is this visitor's is asked anew each time. */
  serviceId: z.string().nullable(),
  /** Who has proven himself (design, section 6). */
  customer: z
    .object({
      ...{ id: z.string(), email: z.string(), currency: z.enum(currencies) },
      // Before sign-ups, everybody had proven his whole account.
      reach: z.enum(["account", "sign-up"]).default("account"),
    })
    .nullable(),
  /** What prices are in, since the first choice was made. */
  currency: z.enum(currencies).nullable(),
  /** The name under which this browser's tries are counted, since it first tried something. */
  visitor: z.string().nullable().default(null),
})

export type CheckoutSession = z.output<typeof CheckoutSession>

export const emptySession: CheckoutSession = {
  choices: noChoices,
  draft: null,
  orderId: null,
  serviceIds: [],
  serviceId: null,
  customer: null,
  currency: null,
  visitor: null,
}

const MOST_SERVICES = 8

/** An order as the one in hand; the stored service gives way to the order's (spec, section 4: new order). */
export function withOrder(session: CheckoutSession, order: Pick<Order, "id" | "serviceId">): CheckoutSession {
  const others = session.serviceIds.filter((id) => id !== order.serviceId)
  return {
    ...session,
    orderId: order.id,
    serviceId: null,
    serviceIds: [order.serviceId, ...others].slice(0, MOST_SERVICES),
  }
}

/** Somebody has proven who he is. What another customer has left in this browser is not for him. */
export function signedIn(session: CheckoutSession, customer: Customer): CheckoutSession {
  const { id, email, currency, reach } = customer
  const isAnother = session.customer !== null && session.customer.id !== id
  const before = isAnother ? { ...emptySession, visitor: session.visitor } : session
  return { ...before, customer: { id, email, currency, reach }, choices: { ...before.choices, email } }
}

/** All that is to be forgotten when a customer signs out (spec, section 4); what he was about to choose stays. */
export function signedOut({ choices, visitor }: CheckoutSession): CheckoutSession {
  return { ...emptySession, choices: { ...choices, email: null }, visitor }
}

/** Before it has been opened (a page that does not even get so far) a session is empty. */
export const sessionContext = createContext<CheckoutSession>(emptySession)

/** Replaces parts of the session; the middleware writes the cookie when the response goes out. */
export function remember(context: Readonly<RouterContextProvider>, changes: Partial<CheckoutSession>): void {
  context.set(sessionContext, { ...context.get(sessionContext), ...changes })
}

/** A browser forgets in time; whoever has a copy of a cookie does not, so it says itself how old it is. */
const SealedSession = CheckoutSession.extend({ sealedAt: z.number() })

/** A cookie that cannot be read (another key, too old, another version, forged) is an empty session, not an error. */
export function openSession(seal: Seal, cookie: string | undefined, now: Instant): CheckoutSession {
  const text = cookie && seal.open(cookie)
  if (!text) return emptySession
  const opened = SealedSession.safeParse(JSON.parse(text))
  if (!opened.success) return emptySession
  const { sealedAt, ...session } = opened.data
  return now - sealedAt <= SESSION_SECONDS * SECOND ? session : emptySession
}

/** The cookie's value; throws rather than lose a session without a word. */
export function closeSession(seal: Seal, session: CheckoutSession, sealedAt: Instant): string {
  const sealed = seal.seal(JSON.stringify({ ...session, sealedAt }))
  if (sealed.length > MOST_BYTES) throw new Error(`A session of ${sealed.length} bytes does not fit a cookie`)
  return sealed
}
