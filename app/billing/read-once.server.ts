import type { Billing } from "./billing"
import type { OrderSync } from "./order-sync"
import type { PaymentRepository } from "./payment-repository"

type Ports = {
  readonly billing: Billing
  readonly payments: PaymentRepository
  readonly orderSync: OrderSync | null
}

/** Calls that only read, and whose result depends on their arguments alone. */
const billingReads: ReadonlySet<string> = new Set([
  "customerOf",
  "isReseller",
  "order",
  "plans",
  "promotion",
  "renewalItems",
  "renewalTerms",
  "resellerCredits",
  "resellerPlans",
  "service",
  "servicesOf",
  "timeline",
] satisfies (keyof Billing)[])

const paymentReads: ReadonlySet<string> = new Set([
  "accountCredit",
  "latestAttempt",
  "openAttempts",
] satisfies (keyof PaymentRepository)[])

const syncReads: ReadonlySet<string> = new Set(["isBeingPlaced"] satisfies (keyof OrderSync)[])

/**
 * The ports for one request: what its guards have read is not read again by its loaders and its action. Any other call,
 * which may write, forgets what was read before, and a failed read is forgotten too. Transactions read for themselves.
 */
export function readOnce({ billing, payments, orderSync }: Ports): Ports {
  const known = new Map<string, Promise<unknown>>()
  return {
    billing: remembering(billing, billingReads, known),
    payments: remembering(payments, paymentReads, known),
    orderSync: orderSync && remembering(orderSync, syncReads, known),
  }
}

function remembering<P extends object>(
  port: P,
  reads: ReadonlySet<string>,
  known: Map<string, Promise<unknown>>,
): P {
  return new Proxy(port, {
    get(target, name, receiver) {
      const call: unknown = Reflect.get(target, name, receiver)
      if (typeof call !== "function" || typeof name !== "string") return call
      return (...args: unknown[]) => {
        if (!reads.has(name)) {
          known.clear()
          return Promise.resolve(call.apply(target, args)).finally(() => known.clear())
        }
        const key = `${name} ${JSON.stringify(args)}`
        const before = known.get(key)
        if (before) return before
        const read: Promise<unknown> = call.apply(target, args)
        known.set(key, read)
        read.catch(() => known.get(key) === read && known.delete(key))
        return read
      }
    },
  })
}
