import { describe, expect, test } from "vitest"
import type { ResellerSignIn } from "~/billing/resellers"
import type { AccessScope, Customer } from "~/domain/customers/customer"
import type { Order } from "~/domain/orders/order"
import { type BillingUnderTest, NOON, placed, promotions, unique } from "./billing-fixtures"
import { lineFor, resellerPriced } from "./reseller-fixtures"

const account: ResellerSignIn = {
  email: "o'ana@example.test",
  password: 'correct & "horse" <battery>',
  existing: false,
  locale: "en-en",
  currency: "EUR",
  country: "ES",
  address: null,
  at: NOON,
}

/** Returns the access scope of a customer who signed in. Throws if the sign-in was rejected. */
export function scopeIn(customer: Customer | null): AccessScope {
  if (!customer) throw new Error("Sign-in rejected")
  return { reach: customer.reach, passwordId: customer.passwordId }
}

const whole = { reach: "account" } as const
const another = { reach: "sign-up", passwordId: "another" } as const
const formerly = { reach: "sign-up" } as const

/**
 * Scope under which something was ordered, and the scopes that may see it. `own`: the scope of this sign-up's password.
 */
const table: readonly [string, AccessScope | null | "own", readonly string[]][] = [
  ["under this password", "own", ["the account", "this password"]],
  ["under another sign-up password", another, ["the account", "another password"]],
  ["under a password without an id, from an earlier version,", formerly, ["the account"]],
  ["by the authenticated owner", whole, ["the account"]],
  ["by an unauthenticated client with the email address", null, ["the account"]],
]

/** Tests the access scope of orders, services and lines for every call that takes one. */
export function accessScopeContract(backend: () => BillingUnderTest): void {
  describe("access scope", () => {
    test.each(table)(
      "an order placed %s is visible only to the scopes that cover it",
      async (_, orderedIn, open) => {
        const { id, readers } = await signUp(backend())
        const bought = await buyBoth(
          backend(),
          id,
          orderedIn === "own" ? readers["this password"] : orderedIn,
        )
        const among = <T>(seen: T, unseen: T) =>
          Object.fromEntries(Object.keys(readers).map((it) => [it, open.includes(it) ? seen : unseen]))
        const seen = await each(readers, (scope) => seenIn(backend(), { id, ...scope }))
        expect(seen).toEqual(among(bought.seen, nothing))
        const made = await each(readers, (scope) => lineIn(backend(), bought.order, scope))
        expect(made).toEqual(among("line", "refused"))
      },
    )

    test("concurrent lines in a scope spend only the credits bought in it", async () => {
      const { id, readers } = await signUp(backend())
      const own = readers["this password"]
      const { order } = await buyBoth(backend(), id, own)
      await buyBoth(backend(), id, whole)
      const line = () =>
        backend().billing.createLine({ ...lineFor(order), accessScope: own, resellerCreditScope: own })
      for (let spent = 0; spent < 23; spent++) await line()
      const tried = await Promise.allSettled([line(), line(), line(), line()])
      expect(tried.filter(({ status }) => status === "fulfilled")).toHaveLength(2)
      expect((await backend().billing.resellerCredits({ id, ...own }, 9)).balance).toBe(0)
      expect((await backend().billing.resellerCredits({ id, ...whole }, 9)).balance).toBe(25)
    })

    test("an order returns the access scope in which it was placed", async () => {
      const { id, readers } = await signUp(backend())
      for (const accessScope of [readers["this password"], whole, null]) {
        const { id: orderId } = await placed(backend(), { customerId: id, accessScope })
        expect((await backend().billing.order(orderId))?.accessScope).toEqual(accessScope)
      }
    })
  })
}

/** Runs an action in each reader's scope sequentially and returns the results by reader. */
async function each<T>(readers: Record<string, AccessScope>, act: (scope: AccessScope) => Promise<T>) {
  const results: Record<string, T> = {}
  for (const [reader, scope] of Object.entries(readers)) results[reader] = await act(scope)
  return results
}

async function lineIn({ billing }: BillingUnderTest, order: Order, scope: AccessScope): Promise<string> {
  const line = { ...lineFor(order), accessScope: scope, resellerCreditScope: scope }
  return billing.createLine(line).then(
    ({ kind }) => kind,
    (error: { kind: string }) => error.kind,
  )
}

const nothing = { services: [], balance: 0, movements: 0 }

async function signUp({ billing }: BillingUnderTest) {
  const customer = await billing.resellerAuth(account)
  const own = scopeIn(customer)
  const readers: Record<string, AccessScope> & { "this password": AccessScope } = {
    "this password": own,
    "another password": another,
    "a password of before": formerly,
    "the account": whole,
  }
  return { id: customer?.id ?? "", readers }
}

/** Buys a viewer plan and an active reseller plan with 25 credits. */
async function buyBoth(backend: BillingUnderTest, customerId: string, accessScope: AccessScope | null) {
  const plan = await placed(backend, { customerId, accessScope }, promotions.free)
  const sold = { key: unique(), customerId, kind: "reseller", accessScope, quote: resellerPriced } as const
  const order: Order = await placed(backend, sold)
  await backend.billing.applyOrderEvent(order.id, "paid", NOON)
  await backend.billing.activateService(order.serviceId, { host: "https://panel.test" }, NOON)
  const services = [plan.serviceId, order.serviceId].toSorted()
  return { order, seen: { services, balance: 25, movements: 1 } }
}

async function seenIn({ billing }: BillingUnderTest, customer: AccessScope & { id: string }) {
  const services = (await billing.servicesOf(customer)).map(({ id }) => id).toSorted()
  const { balance, movements } = await billing.resellerCredits(customer, 10)
  return { services, balance, movements: movements.length }
}
