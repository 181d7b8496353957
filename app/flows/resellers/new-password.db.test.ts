import { expect, test } from "vitest"
import { BillingOverloaded } from "~/billing/billing"
import { limits } from "~/security/rate-limits.server"
import { PoolOverloaded } from "~/security/worker-pool.server"
import { openTestShop, pricing, type TestShop } from "../../../tests/fixtures/test-shop"
import { startResellerReview } from "./start-reseller-review.server"

const anonymous = { address: "93.184.216.34", visitor: null, authenticated: false }
const newCustomer = {
  kind: "new",
  email: "ana@example.test",
  password: "correct horse battery staple",
} as const

test("rejected weak passwords do not count towards the sign-up limit", async () => {
  const shop = await openTestShop()
  for (let attempts = 0; attempts < 10; attempts++) {
    const weak = { ...newCustomer, password: "password12" } as const
    expect(await started(shop, { buyer: weak })).toMatchObject({ field: "newPassword" })
  }
  expect((await started(shop)).kind).toBe("ready")
})

test("limits the password ratings of one browser", async () => {
  const shop = await openTestShop()
  let rated = 0
  const passwordStrength = async () => {
    rated++
    return 0 as const
  }
  const services = { ...shop.services, passwordStrength }
  const who = { ...anonymous, visitor: "browser 1" }
  for (let attempts = 0; attempts < limits.newPasswordsOfBrowser; attempts++)
    await started({ ...shop, services }, { who })
  expect(await started({ ...shop, services }, { who })).toMatchObject({
    kind: "too-many",
    retryAfterSeconds: expect.any(Number),
  })
  expect(rated).toBe(limits.newPasswordsOfBrowser)
})

test("returns overloaded with Retry-After seconds when the password queue is full", async () => {
  const shop = await openTestShop()
  const passwordStrength = () => Promise.reject(new PoolOverloaded("full", 5))
  const billing = { ...shop.services.billing, resellerAuth: () => Promise.reject(new BillingOverloaded(5)) }
  const overloaded = { kind: "overloaded", retryAfterSeconds: 5 }
  expect(await started({ ...shop, services: { ...shop.services, passwordStrength } })).toEqual(overloaded)
  expect(await started({ ...shop, services: { ...shop.services, billing } })).toEqual(overloaded)
  expect((await started(shop)).kind).toBe("ready")
})

function started({ services }: TestShop, request: Partial<Parameters<typeof startResellerReview>[1]> = {}) {
  return startResellerReview(services, {
    key: "form-1",
    plan: "12",
    gateway: "offshore",
    coin: null,
    promoCode: null,
    buyer: newCustomer,
    agreed: { code: null, shown: undefined },
    pricing,
    locale: "en-en",
    who: anonymous,
    ...request,
  })
}
