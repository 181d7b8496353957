import { describe, expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import { signedLink } from "~/security/signed-link.server"
import { meet } from "../../../tests/fixtures/middleware-harness"
import { buy } from "../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { emailLogin } from "./email-login.server"

test("an unsigned e-mail in a link does not sign in a customer", async () => {
  const shop = await withCustomer()
  const met = await meet(emailLogin, {
    services: shop.services,
    path: "/checkout/de-de?email=ana@example.test",
  })
  expect(met).toMatchObject({ location: null, session: { customer: null } })
})

test("a signed link signs the customer in and redirects to their services", async () => {
  const shop = await withCustomer()
  const met = await follow(shop, { serviceId: "s1" })
  expect(met).toMatchObject({
    location: "/checkout/de-de/success",
    session: { customer: { email: "ana@example.test" }, serviceId: "s1" },
  })
})

test("a signed link with a product leads to the checkout", async () => {
  const met = await follow(await withCustomer(), {}, "&pid=1")
  expect(met).toMatchObject({ location: null, session: { customer: { email: "ana@example.test" } } })
})

test("an expired link shows the reason and signs no one in", async () => {
  const shop = await withCustomer()
  const path = linkTo(shop, {})
  shop.wait(8 * DAY)
  const met = await meet(emailLogin, { services: shop.services, path })
  expect(met).toMatchObject({ status: 401, screen: { reason: "old-link" }, session: { customer: null } })
})

test.each([
  ["another e-mail", (path: string) => path.replace("ana%40", "ben%40")],
  ["a later expiry", (path: string) => path.replace(/expires=\d/, "expires=9")],
  ["another service", (path: string) => `${path}&serviceid=s2`],
  ["another signature", (path: string) => path.replace(/signature=..../, "signature=AAAA")],
])("a signed link with %s signs no one in", async (_, forge) => {
  const shop = await withCustomer()
  const met = await meet(emailLogin, { services: shop.services, path: forge(linkTo(shop, {})) })
  expect(met.session.customer).toBeNull()
})

test("with TRUST_EMAIL_LINKS an unsigned e-mail link signs in, and proves less than a signed one", async () => {
  const shop = await withCustomer()
  const services = { ...shop.services, shop: { ...shop.services.shop, trustEmailLinks: true } }
  const path = "/checkout/de-de?email=ana@example.test"
  expect((await meet(emailLogin, { services, path })).session).toMatchObject({
    customer: { email: "ana@example.test" },
    proof: { how: "trusted-link" },
  })
  const signed = await meet(emailLogin, { services, path: linkTo(shop, {}) })
  expect(signed.session).toMatchObject({ customer: { email: "ana@example.test" }, proof: { how: "link" } })
  const unknownEmailUrl = "/checkout/de-de?email=nobody@example.test"
  expect((await meet(emailLogin, { services, path: unknownEmailUrl })).session.customer).toBeNull()
})

test("a link for another customer removes the previous customer from the session", async () => {
  const shop = await withCustomer()
  const before = {
    customer: { id: "c9", email: "ben@example.test", currency: "EUR" as const, reach: "account" as const },
    orderId: "OLD",
  }
  const met = await meet(emailLogin, { services: shop.services, path: linkTo(shop, {}), session: before })
  expect(met.session).toMatchObject({ orderId: null, customer: { email: "ana@example.test" } })
})

describe("a password chosen at sign-up without a proven e-mail", () => {
  const proof = { email: "ben@example.test", password: "correct horse battery staple" }
  const signUp = async () => {
    const shop = await openTestShop()
    const { billing, now } = shop.services
    const account = { ...proof, existing: false, locale: "en-en", currency: "EUR" } as const
    await billing.resellerAuth({ ...account, country: "ES", address: null, at: now() })
    return shop
  }
  const signIn = ({ services }: TestShop) => services.billing.signIn(proof)
  const path = (shop: TestShop) => linkTo(shop, { email: proof.email })

  test("is invalid once the owner has followed a signed link, and the owner is informed", async () => {
    const shop = await signUp()
    const met = await meet(emailLogin, { services: shop.services, path: path(shop) })
    expect(met.session).toMatchObject({
      customer: { email: proof.email, reach: "account" },
      passwordEnded: true,
    })
    expect(await signIn(shop)).toBeNull()
    const again = await meet(emailLogin, { services: shop.services, path: path(shop) })
    expect(again.session.passwordEnded).toBeUndefined()
  })

  test("stays valid when a prefetch or bot opens the link", async () => {
    const shop = await signUp()
    const headers = { "sec-purpose": "prefetch" }
    await meet(emailLogin, { services: shop.services, path: path(shop), headers })
    expect(await signIn(shop)).not.toBeNull()
  })

  test("stays valid after an unsigned trusted link, and the owner's own password after every link", async () => {
    const shop = await signUp()
    const services = { ...shop.services, shop: { ...shop.services.shop, trustEmailLinks: true } }
    await meet(emailLogin, { services, path: `/checkout/de-de?email=${proof.email}` })
    const { id = "" } = (await signIn(shop)) ?? {}
    await services.billing.setPassword({ id, reach: "account" }, proof.password, services.now)
    const met = await meet(emailLogin, { services, path: path(shop) })
    expect(met.session.passwordEnded).toBeUndefined()
    expect(await signIn(shop)).toMatchObject({ reach: "account" })
  })
})

type LoginRequest = { serviceId?: string; email?: string }

async function withCustomer(): Promise<TestShop> {
  const shop = await openTestShop()
  await buy(shop)
  return shop
}

function follow(shop: TestShop, request: LoginRequest, more = "") {
  return meet(emailLogin, { services: shop.services, path: linkTo(shop, request) + more })
}

/** The operator's link, in German. */
function linkTo({ services }: TestShop, { serviceId, email = "ana@example.test" }: LoginRequest): string {
  const link = signedLink(services.signer, {
    publicUrl: "https://shop.test",
    email,
    serviceId: serviceId ?? null,
    expiresAt: services.now() + 7 * DAY,
  })
  return `/checkout/de-de${new URL(link).search}`
}
