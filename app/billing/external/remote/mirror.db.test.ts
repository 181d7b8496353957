import { expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import { DAY, HOUR, MINUTE } from "~/domain/calendar"
import { planOf } from "~/domain/catalogue/catalogue"
import { quote } from "~/domain/catalogue/pricing"
import { STANDARD, type TaxRules } from "~/domain/tax/tax"
import {
  catalogueFixture,
  credentials,
  NOON,
  opened,
  placed,
  plan,
  unique,
} from "../../../../tests/contracts/billing/billing-fixtures"
import { externalBillingContract } from "../../../../tests/contracts/billing/external-billing-contract"
import { openMirrorUnderTest } from "../../../../tests/contracts/billing/mirror"
import { remoteSettings } from "../../../../tests/fakes/legacy-billing-fixtures"
import { type LosingProxy, openResponseDroppingProxy } from "../../../../tests/fakes/response-dropping-proxy"
import { API_KEY } from "../../../../tests/fixtures/billing-api-server"
import { openStorefront } from "../../../../tests/fixtures/remote-storefront"
import { germanTax } from "../../../../tests/fixtures/tax-rules"
import { openRemote } from "./remote.server"

/** The buyers of the contract are in Morocco. */
const rules: TaxRules = {
  ...germanTax,
  registrations: [{ country: "MA", number: "MA1", from: "2020-01-01", until: null }],
  rates: [{ country: "MA", category: STANDARD, basisPoints: 2_000, from: "2020-01-01", until: null }],
}

externalBillingContract("a server with the billing API", async ({ taxed }) => {
  let proxy: LosingProxy | undefined
  const { backend, storefront, openStorefrontBilling, close } = await openStorefront(
    catalogueFixture,
    async (url) => {
      proxy = await openResponseDroppingProxy(url)
      return proxy.url
    },
    taxed ? { rules, timeZone: "UTC" } : undefined,
  )
  const newest = async () => {
    const [order] = await backend.operator.orders({ limit: 1 })
    if (!order) throw new Error("Order not found at the billing server")
    return order.id
  }
  return {
    mirror: storefront,
    async orders() {
      const listed = await backend.operator.orders({ limit: 50 })
      const seen = { placed: "open", cancelled: "cancelled", paid: "paid", active: "paid" } as const
      return listed
        .toReversed()
        .map(({ status, total }) => ({ status: seen[status as keyof typeof seen], total: total.minor }))
    },
    loseNextSignUp: () => proxy?.loseNext("/api/resellerAuth"),
    loseNextOrder: () => proxy?.loseNext("/api/order"),
    holdNextOrder(how) {
      if (!proxy) throw new Error("The proxy has not been started")
      return proxy.holdNext("/api/order", how)
    },
    startProcess: openStorefrontBilling,
    away: (isAway) => proxy?.away(isAway),
    staff: {
      markPaid: async () => void (await backend.billing.applyOrderEvent(await newest(), "paid", NOON)),
      cancel: async () => void (await backend.billing.applyOrderEvent(await newest(), "aborted", NOON)),
    },
    async sellExternally(email) {
      const visitor = {
        email,
        locale: "en-en",
        currency: "EUR",
        country: "MA",
        address: null,
        at: NOON,
      } as const
      const { customerId } = await backend.billing.identify(visitor)
      const sold = planOf(plan, "EUR")
      if (!sold) throw new Error("The plan is not sold in EUR")
      const price = quote(sold, { extraConnection: false, proxyProtection: false }, null)
      const order = await placed(
        { ...backend, close: async () => {} },
        { customerId, quote: price, key: unique() },
      )
      await backend.billing.applyOrderEvent(order.id, "paid", NOON)
      await backend.billing.activateService(order.serviceId, { host: "https://tv.test" }, NOON)
      return { id: order.serviceId, username: credentials.username, password: credentials.password }
    },
    async close() {
      await close()
      await proxy?.close()
    },
  }
})

test("no change of plan and no renewal invoice is offered, since the billing API has no call for them", async () => {
  const { storefront, close } = await openStorefront(catalogueFixture)
  expect([storefront.planUpgrades, storefront.invoiceRenewals]).toEqual([null, null])
  await close()
})

test("an order that was cancelled here and paid late at the billing server is paid here too", async () => {
  const { backend, storefront, close } = await openStorefront(catalogueFixture)
  const order = await placed(storefront)
  await opened(storefront, order)
  const gateway = storefront.gateway("offshore")
  const polled = async (at: number) => {
    const due = await storefront.payments.attemptsDueForPolling("offshore", at, 10)
    for (const { id } of due) {
      // The gateway of an external billing names a payment as its attempt.
      const update = await gateway?.fetchPayment({ paymentId: id })
      if (update) await storefront.payments.recordPaymentUpdate("offshore", update, at)
    }
    return (await storefront.payments.latestAttempt(order.id))?.status
  }
  const [theirs] = await backend.operator.orders({ limit: 1 })
  await storefront.billing.applyOrderEvent(order.id, "aborted", NOON)
  await backend.billing.applyOrderEvent(theirs?.id ?? "", "aborted", NOON)
  expect(await polled(NOON + HOUR)).toBe("expired")
  await backend.billing.applyOrderEvent(theirs?.id ?? "", "paid", NOON + HOUR)
  expect(await polled(NOON + DAY)).toBe("paid")
  expect(await storefront.billing.order(order.id)).toMatchObject({ status: "paid" })
  await close()
})

test("the sweep does not ask about orders before the time that a busy server has asked for", async () => {
  const { served, close } = await openStorefront(catalogueFixture)
  const asked: string[] = []
  const storefront = await openMirrorUnderTest((local) => ({
    ...openRemote({ ...remoteSettings, ...local, keys: [API_KEY], url: served.url }),
    async orderStatus({ orderId }) {
      asked.push(orderId ?? "")
      throw new BillingError("unavailable", "busy", { retryAfterSeconds: 600 })
    },
  }))
  for (const key of [unique(), unique()]) await placed(storefront, { key })
  const sweep = (at: number) => storefront.orderSync.reconcileExternalOrders(at, 10)
  await sweep(NOON + HOUR)
  await sweep(NOON + HOUR + 9 * MINUTE)
  expect(asked).toHaveLength(1)
  await sweep(NOON + HOUR + 10 * MINUTE)
  expect(asked).toHaveLength(2)
  await storefront.close()
  await close()
})

test("the server checks an address once for an order, and its customer later", async () => {
  const { served, close } = await openStorefront(catalogueFixture)
  const asked: string[] = []
  const storefront = await openMirrorUnderTest((local) => ({
    ...openRemote({ ...remoteSettings, ...local, keys: [API_KEY], url: served.url }),
    async passesFraudCheck(address) {
      asked.push(address)
      return false
    },
  }))
  const address = "203.0.113.7"
  const orderer = { address, country: "ES", browser: null, customer: null, at: NOON } as const
  const rejected = { valid: false, reason: "rejected by external billing" }
  await storefront.purchase(async ({ checkAddress, checkFraud }) => {
    expect(await checkAddress?.(address)).toEqual(rejected)
    expect(await checkFraud(orderer)).toEqual({ valid: true })
  })
  expect(asked).toEqual([address])
  expect(await storefront.billing.checkFraud(orderer)).toEqual(rejected)
  await storefront.close()
  await close()
})
