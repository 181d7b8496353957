import { expect, inject, test, vi } from "vitest"
import { DAY, HOUR, MINUTE } from "~/domain/calendar"
import { catalogueFixture } from "../../tests/contracts/billing/billing-fixtures"
import { createEmbeddedBilling } from "../../tests/contracts/billing/embedded-billing"
import { freshDatabase } from "../../tests/support/db/postgres"
import { sharedIn } from "./rate-limit-store.server"
import { limits, type RateLimits, rateLimits } from "./rate-limits.server"

const place = "93.184.216.34"
const otherSession = "93.184.216.35"
const email = "ana@example.test"
const anonymous = { address: place, visitor: null, authenticated: false }

test("a session may try a few unknown codes, from however many addresses", async () => {
  const { code } = rateLimits()
  const from = (nth: number) => ({ ...anonymous, address: `93.184.216.${nth}`, visitor: "browser 1" })
  expect(await allowedOf(50, (nth) => code(from(nth)))).toBe(limits.wrongCodesOfBrowser)
  expect(await code(from(99))).toMatchObject({ ok: false, retryAfterSeconds: expect.any(Number) })
})

test("a session over its limit does not affect other clients at its address", async () => {
  const { code } = rateLimits()
  const guesser = { ...anonymous, visitor: "browser 1" }
  await allowedOf(limits.wrongCodesOfBrowser + 5, () => code(guesser))
  expect((await code(guesser)).ok).toBe(false)
  expect((await code({ ...anonymous, visitor: "browser 2" })).ok).toBe(true)
  expect((await code(anonymous)).ok).toBe(true)
})

test("a client without cookies is limited by its address", async () => {
  const { code } = rateLimits()
  expect(await allowedOf(200, () => code(anonymous))).toBe(limits.wrongCodesOfAddress)
})

test("an authenticated customer is not limited by other clients at the same address", async () => {
  const { code, order } = rateLimits()
  await allowedOf(200, () => code(anonymous))
  await allowedOf(200, () => order({ ...anonymous, email: null }))
  const customer = { ...anonymous, visitor: "his own", authenticated: true }
  expect((await code(customer)).ok).toBe(true)
  expect((await order({ ...customer, email })).ok).toBe(true)
})

test("a signed-in customer whose browser has no id yet is limited by the address, however often the cookie is sent", async () => {
  const { code } = rateLimits()
  const customer = { ...anonymous, authenticated: true }
  expect(await allowedOf(200, () => code(customer))).toBe(limits.wrongCodesOfAddress)
})

test("a valid code does not count, so a hundred clients behind one address may use it", async () => {
  const { code, rightCode } = rateLimits()
  const used = await allowedOf(100, async () => {
    const allowed = await code(anonymous)
    await rightCode(anonymous)
    return allowed
  })
  expect(used).toBe(100)
})

test("a code that is refused while valid ones are looked up is allowed once these have been found", async () => {
  const { code, rightCode } = rateLimits()
  const buyer = { ...anonymous, visitor: "browser 1" }
  expect(await allowedOf(limits.wrongCodesOfBrowser + 1, () => code(buyer))).toBe(limits.wrongCodesOfBrowser)
  for (let found = 0; found < 2; found++) await rightCode(buyer)
  expect((await code(buyer)).ok).toBe(true)
})

test("concurrent tries are all counted", async () => {
  const { code } = rateLimits()
  const guesser = { ...anonymous, visitor: "browser 1" }
  const results = await Promise.all(Array.from({ length: 50 }, () => code(guesser)))
  expect(results.filter(({ ok }) => ok)).toHaveLength(limits.wrongCodesOfBrowser)
})

test("all addresses of an IPv6 /64 network count as one", async () => {
  const { code } = rateLimits()
  const from = (nth: number) => ({ ...anonymous, address: `2a00:1450:4001:81a::${nth.toString(16)}` })
  expect(await allowedOf(200, (nth) => code(from(nth)))).toBe(limits.wrongCodesOfAddress)
  expect((await code({ ...anonymous, address: "2a00:1450:4001:81b::1" })).ok).toBe(true)
})

test.each(["127.0.0.1", "10.1.2.3", "::1", null])(
  "the address %s belongs to an unconfigured proxy and is not counted",
  async (address) => {
    const { code, order, click } = rateLimits()
    expect(await allowedOf(1_000, () => code({ ...anonymous, address }))).toBe(1_000)
    expect(await allowedOf(1_000, () => order({ ...anonymous, address, email }))).toBe(1_000)
    expect(await allowedOf(1_000, () => click(address))).toBe(1_000)
  },
)

test("failed sign-ins from another address do not lock the customer out", async () => {
  const { signIn } = rateLimits()
  expect(await allowedOf(50, () => signIn({ ...anonymous, address: otherSession, email }))).toBe(
    limits.signInsOfEmail,
  )
  expect((await signIn({ ...anonymous, email })).ok).toBe(true)
})

test("tries for one e-mail from many addresses share the e-mail's limit", async () => {
  const { signIn } = rateLimits()
  const from = (nth: number) => ({ ...anonymous, email, address: `93.184.${nth}.34` })
  expect(await allowedOf(200, (nth) => signIn(from(nth)))).toBe(limits.signInsOfEmailAnywhere)
})

test.each(["127.0.0.1", "10.1.2.3", "fd00::7", null])(
  "behind the unconfigured proxy %s one client's failed sign-ins do not lock out another client",
  async (address) => {
    const { signIn } = rateLimits()
    const forgetful = { address, visitor: "browser 1", email }
    expect(await allowedOf(50, () => signIn(forgetful))).toBe(limits.signInsOfEmail)
    expect((await signIn({ ...forgetful, visitor: "browser 2" })).ok).toBe(true)
    expect((await signIn({ ...forgetful, visitor: null })).ok).toBe(true)
  },
)

test("behind an unconfigured proxy a client without cookies shares the e-mail's limit", async () => {
  const { signIn } = rateLimits()
  const guesser = (nth: number) => ({
    address: "10.1.2.3",
    visitor: nth % 2 ? `browser ${nth}` : null,
    email,
  })
  expect(await allowedOf(200, (nth) => signIn(guesser(nth)))).toBe(limits.signInsOfEmailAnywhere)
})

test("a rejected sign-in does not count towards the limit of other clients", async () => {
  const { signIn } = rateLimits()
  await allowedOf(500, () => signIn({ ...anonymous, email }))
  const others = await allowedOf(200, (nth) => signIn({ ...anonymous, email, address: `93.184.${nth}.34` }))
  // Six permitted attempts and the seventh, which exceeded the limit.
  expect(others).toBe(limits.signInsOfEmailAnywhere - limits.signInsOfEmail - 1)
})

test("a successful sign-in resets the failed ones before", async () => {
  const { signIn, signedIn } = rateLimits()
  const who = { ...anonymous, email }
  await allowedOf(limits.signInsOfEmail, () => signIn(who))
  await signedIn(who)
  expect((await signIn(who)).ok).toBe(true)
})

test("who signs in from many places is not limited", async () => {
  const { signIn, signedIn } = rateLimits()
  const signedInOf = await allowedOf(limits.signInsOfEmailAnywhere + 5, async (nth) => {
    const who = { ...anonymous, email, address: `93.184.${nth}.34` }
    const allowed = await signIn(who)
    await signedIn(who)
    return allowed
  })
  expect(signedInOf).toBe(limits.signInsOfEmailAnywhere + 5)
})

test("who was refused while another sign-in of theirs was checked is allowed once that has succeeded", async () => {
  const { signIn, signedIn } = rateLimits()
  const who = { ...anonymous, email }
  await allowedOf(limits.signInsOfEmail + 1, () => signIn(who))
  await signedIn(who)
  expect((await signIn(who)).ok).toBe(true)
})

test("sign-ins whose password was not checked do not count", async () => {
  const { signIn, signInUnchecked } = rateLimits()
  const who = { ...anonymous, email }
  await allowedOf(limits.signInsOfEmail + 1, () => signIn(who))
  for (let unchecked = 0; unchecked < 2; unchecked++) await signInUnchecked(who)
  expect((await signIn(who)).ok).toBe(true)
})

test("rejected callbacks of one gateway limit no other one, and are counted anew after a minute", async () => {
  vi.useFakeTimers()
  const { rejection } = rateLimits()
  const from = (gateway: string) => rejection({ gateway, address: place })
  expect(await allowedOf(200, () => from("coinbase"))).toBe(limits.refusalsOfAddress)
  expect((await from("offshore")).ok).toBe(true)
  vi.advanceTimersByTime(1 * MINUTE)
  expect((await from("coinbase")).ok).toBe(true)
  vi.useRealTimers()
})

test.each([
  ["in one IPv6 network", (nth: number) => `2a00:1450:4001:81a::${nth.toString(16)}`],
  ["in the shop's own network", () => "10.1.2.3"],
  ["at unknown addresses", () => null],
])("clients %s share the tries of API keys", async (_, addressOf) => {
  const { wrongKey } = rateLimits()
  expect(await allowedOf(100, (nth) => wrongKey(addressOf(nth)))).toBe(limits.wrongKeys)
  expect((await wrongKey(place)).ok).toBe(true)
})

test.each([
  ["in one IPv6 network", (nth: number) => `2a00:1450:4001:81a::${(nth % 100).toString(16)}`],
  ["at unknown addresses", () => null],
])("clients %s share the calls of the served API", async (_, addressOf) => {
  const { apiCall } = rateLimits()
  expect(await allowedOf(limits.apiCalls + 10, (nth) => apiCall(addressOf(nth)))).toBe(limits.apiCalls)
  expect((await apiCall(place)).ok).toBe(true)
})

test("strangers at an operator's address use its tries up, but not those of a known browser or a session", async () => {
  const { operatorSignIn } = rateLimits()
  const attempt = { address: place, visitor: null, email, isSignedIn: false, device: null }
  const strangers = (nth: number) => operatorSignIn({ ...attempt, email: `${nth}@shop.test` })
  expect(await allowedOf(50, strangers)).toBe(limits.operatorSignInsOfAddress)
  expect((await operatorSignIn(attempt)).ok).toBe(false)
  expect((await operatorSignIn({ ...attempt, device: "known" })).ok).toBe(true)
  expect((await operatorSignIn({ ...attempt, isSignedIn: true })).ok).toBe(true)
})

test.each([
  ["calls of the panel", "panelCall", limits.panelCallsOfService],
  ["choices about a renewal", "renewalChoice", limits.renewalChoicesOfService],
  ["cancelled lines", "lineCancellation", limits.lineCancellationsOfReseller],
] as const)("%s are limited for one, and not for another", async (_, name, limit) => {
  const count = rateLimits()[name]
  expect(await allowedOf(50, () => count("one"))).toBe(limit)
  expect((await count("another")).ok).toBe(true)
})

test("payments are limited per order, from however many browsers", async () => {
  const { payment } = rateLimits()
  const opened = (nth: number) =>
    payment({ orderId: "K7QM2XDT93", attemptId: `attempt ${nth}`, visitor: `browser ${nth}` })
  expect(await allowedOf(50, opened)).toBe(limits.paymentsOfOrder)
})

const stranger = { ...anonymous, address: otherSession, email, known: false }
const networks = (nth: number) => ({ ...stranger, address: `93.184.${nth}.34` })

test("requests for messages to an e-mail limit only the client that makes them", async () => {
  const { signInMail } = rateLimits()
  expect(await allowedOf(50, () => signInMail(stranger))).toBe(limits.signInMailsOfEmail)
  expect((await signInMail({ ...anonymous, email, known: false })).ok).toBe(true)
})

test("one client gets eight messages to an e-mail a day, five of them within fifteen minutes", async () => {
  vi.useFakeTimers()
  const { signInMail } = rateLimits()
  const sentOf = (requests: number) => allowedOf(requests, () => signInMail(stranger))
  expect(await sentOf(5)).toBe(5)
  vi.advanceTimersByTime(15 * MINUTE)
  expect(await sentOf(4)).toBe(3)
  vi.advanceTimersByTime(23 * HOUR)
  expect(await sentOf(1)).toBe(0)
  vi.advanceTimersByTime(45 * MINUTE)
  expect(await sentOf(6)).toBe(5)
  vi.useRealTimers()
})

test("all clients together get forty messages to an e-mail a day, so that nobody's mailbox is filled", async () => {
  vi.useFakeTimers()
  const { signInMail } = rateLimits()
  const sent = () => allowedOf(500, (nth) => signInMail(networks(nth % 100)))
  expect(await sent()).toBe(40)
  vi.advanceTimersByTime(23 * HOUR)
  expect(await sent()).toBe(0)
  vi.advanceTimersByTime(1 * HOUR)
  expect(await sent()).toBe(40)
  vi.useRealTimers()
})

test("a browser that was signed in gets its messages, whatever others have asked for", async () => {
  const { signInMail } = rateLimits()
  await allowedOf(500, (nth) => signInMail(networks(nth % 100)))
  expect((await signInMail(stranger)).ok).toBe(false)
  expect(await allowedOf(50, () => signInMail({ ...stranger, known: true }))).toBe(limits.signInMailsOfKnown)
})

test("changes of e-mail are few per browser, customer, address and new e-mail", async () => {
  const { emailChange } = rateLimits()
  const one = { visitor: "browser 1", customerId: "c1", address: otherSession, email }
  const others = (nth: number) => ({
    visitor: `browser ${nth} more`,
    customerId: `c${nth} more`,
    address: `93.184.${nth % 100}.34`,
    email: `${nth}@example.test`,
  })
  const count = (what: keyof typeof one) =>
    allowedOf(50, (nth) => emailChange({ ...others(nth), [what]: one[what] }))
  expect(await count("visitor")).toBe(limits.emailChangesOfBrowser)
  expect(await count("customerId")).toBe(limits.emailChangesOfCustomer)
  expect(await count("address")).toBe(limits.emailChangesOfAddress)
  expect(await count("email")).toBe(limits.emailChangesToEmail)
})

test.each([
  ["a customer", "customerId", limits.emailChangesOfCustomerDaily],
  ["one new e-mail", "email", limits.emailChangesToEmail],
] as const)(
  "changes of e-mail of %s are few a day, however slowly they are asked for",
  async (_, what, limit) => {
    vi.useFakeTimers()
    const { emailChange } = rateLimits()
    let asked = 0
    const change = () => {
      asked += 1
      const address = `93.184.${asked}.34`
      const others = {
        visitor: `v${asked}`,
        customerId: `c${asked}`,
        email: `${asked}@example.test`,
        address,
      }
      return emailChange({ ...others, [what]: "the same" })
    }
    let allowed = 0
    for (let quarters = 0; quarters < 8; quarters++) {
      allowed += await allowedOf(5, change)
      vi.advanceTimersByTime(15 * MINUTE)
    }
    expect(allowed).toBe(limit)
    vi.useRealTimers()
  },
)

test("one address asks for messages to few e-mails", async () => {
  const { signInMail } = rateLimits()
  const toMany = (nth: number) => signInMail({ ...stranger, email: `${nth}@example.test` })
  expect(await allowedOf(50, toMany)).toBe(limits.signInMailsOfAddress)
})

test("orders under another customer's e-mail limit only the client that places them", async () => {
  const { order } = rateLimits()
  const orders = await allowedOf(50, () => order({ ...anonymous, address: otherSession, email }))
  expect(orders).toBe(limits.ordersOfEmail)
  expect((await order({ ...anonymous, email })).ok).toBe(true)
})

test("repeats of one idempotency key count as one order, up to a limit of their own", async () => {
  const { order } = rateLimits()
  const buyer = { ...anonymous, visitor: "browser 1", email }
  const repeats = await allowedOf(limits.triesOfOrder + 5, () => order({ ...buyer, key: "k1" }))
  expect(repeats).toBe(limits.triesOfOrder)
  const others = await allowedOf(50, (nth) => order({ ...buyer, key: `other ${nth}` }))
  expect(others).toBe(limits.ordersOfBrowser - 1)
})

test("one idempotency key with many e-mails is many orders", async () => {
  const { order } = rateLimits()
  const buyer = { ...anonymous, visitor: "browser 1" }
  const tried = await allowedOf(50, (nth) => order({ ...buyer, email: `${nth}@example.test`, key: "k1" }))
  expect(tried).toBe(limits.ordersOfBrowser)
})

test("an order above the limit is rejected however often its idempotency key is repeated, unlike an earlier one", async () => {
  const { order } = rateLimits()
  const buyer = { ...anonymous, visitor: "browser 1", email }
  await allowedOf(limits.ordersOfBrowser, (nth) => order({ ...buyer, key: `key ${nth}` }))
  expect(await allowedOf(3, () => order({ ...buyer, key: "late" }))).toBe(0)
  expect((await order({ ...buyer, key: "key 0" })).ok).toBe(true)
})

test("two instances on one PostgreSQL share counters, and the table contains no e-mail", async () => {
  const url = await freshDatabase(inject("postgres"))
  const backend = [
    await createEmbeddedBilling(url, catalogueFixture),
    await createEmbeddedBilling(url, catalogueFixture),
  ]
  const instances = backend.map(({ counters }) => rateLimits(counters ? sharedIn(counters) : undefined))
  const guesser = { ...anonymous, visitor: email }
  const tries = Array.from({ length: 20 }, () => instances.map(({ code }) => code(guesser))).flat()
  const results = await Promise.all(tries)
  expect(results.filter(({ ok }) => ok)).toHaveLength(limits.wrongCodesOfBrowser)
  const stored = await backend[0]?.counters?.query({ text: "select * from rate_limits" })
  expect(stored?.rows).toHaveLength(2)
  expect(JSON.stringify(stored)).not.toContain(email)
  expect(JSON.stringify(stored)).not.toContain(place)
  await Promise.all(backend.map((it) => it.close()))
})

test("each instance counts on its own while the shared database is unavailable", async () => {
  const silent = { table: "rate_limits", query: () => Promise.reject(new Error("The books do not answer")) }
  const { code } = rateLimits(sharedIn(silent))
  const guesser = { ...anonymous, visitor: "browser 1" }
  expect(await allowedOf(50, () => code(guesser))).toBe(limits.wrongCodesOfBrowser)
})

test("a client far over its limit causes no write to the shared database", async () => {
  const counters = countingTable()
  const { signIn, order, code, click } = rateLimits(sharedIn(counters))
  const everything = async (nth: number) => {
    const attempt = { ...anonymous, visitor: `browser ${nth}`, email: `${nth}@example.test` }
    return [await signIn(attempt), await order(attempt), await code(attempt), await click(place)]
  }
  for (let nth = 0; nth < 301; nth++) await everything(nth)
  const before = counters.written
  const results = (await Promise.all(Array.from({ length: 50 }, (_, nth) => everything(1_000 + nth)))).flat()
  expect(results.filter(({ ok }) => ok)).toEqual([])
  expect(counters.written).toBe(before)
})

test("a rejected client is allowed again when the limit's period ends", async () => {
  vi.useFakeTimers()
  const counters = countingTable()
  const { code } = rateLimits(sharedIn(counters))
  const guesser = { ...anonymous, visitor: "browser 1" }
  await allowedOf(20, () => code(guesser))
  const refused = await code(guesser)
  vi.advanceTimersByTime((refused.ok ? 0 : refused.retryAfterSeconds) * 1_000)
  expect((await code(guesser)).ok).toBe(true)
  vi.useRealTimers()
})

const stores = {
  "in memory": async () => ({ limited: rateLimits(), close: async () => {} }),
  "on PostgreSQL": async () => {
    const backend = await createEmbeddedBilling(await freshDatabase(inject("postgres")), catalogueFixture)
    if (!backend.counters) throw new Error("PostgreSQL has no counters")
    return { limited: rateLimits(sharedIn(backend.counters)), close: backend.close }
  },
}

test.each(["in memory", "on PostgreSQL"] as const)(
  "a client that was limited by a wrong clock is not locked out once the clock is set back, %s",
  async (store) => {
    const { limited, close } = await stores[store]()
    const right = Date.now()
    const clock = vi.spyOn(Date, "now").mockReturnValue(right + 365 * DAY)
    const guesser = { ...anonymous, visitor: "browser 1" }
    expect(await allowedOf(20, () => limited.code(guesser))).toBe(limits.wrongCodesOfBrowser)
    clock.mockReturnValue(right)
    expect(await allowedOf(20, () => limited.code(guesser))).toBe(limits.wrongCodesOfBrowser)
    expect(await limited.code(guesser)).toMatchObject({ ok: false, retryAfterSeconds: 15 * 60 })
    clock.mockRestore()
    await close()
  },
)

test("instances whose clocks differ by a minute count together", async () => {
  vi.useFakeTimers()
  const counters = countingTable()
  const [ahead, behind] = [rateLimits(sharedIn(counters)), rateLimits(sharedIn(counters))]
  const guesser = { ...anonymous, visitor: "browser 1" }
  const now = Date.now()
  vi.setSystemTime(now + 60_000)
  expect(await allowedOf(20, () => ahead.code(guesser))).toBe(limits.wrongCodesOfBrowser)
  vi.setSystemTime(now)
  expect(await allowedOf(20, () => behind.code(guesser))).toBe(0)
  vi.useRealTimers()
})

/** Counts as PostgreSQL does: one row per key until it expires. */
function countingTable() {
  const rows = new Map<string, { points: number; expire: number }>()
  const counters = {
    table: "rate_limits",
    written: 0,
    async query({ values = [] }: { values?: readonly unknown[] }) {
      counters.written++
      const key = String(values[0])
      const [points = 0, expire = 0, now = 0] = values.slice(1).map(Number)
      const old = rows.get(key)
      const row = old && old.expire > now ? { ...old, points: old.points + points } : { points, expire }
      rows.set(key, row)
      return { rows: [row], rowCount: 1 }
    },
  }
  return counters
}

/** How many of a number of consecutive attempts are allowed. */
async function allowedOf(attempts: number, attempt: (nth: number) => ReturnType<RateLimits["code"]>) {
  let allowed = 0
  for (let nth = 0; nth < attempts; nth++) if ((await attempt(nth)).ok) allowed++
  return allowed
}
