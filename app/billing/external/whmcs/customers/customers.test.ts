import { afterEach, expect, test } from "vitest"
import { paidAt, visitor, type WhmcsShop, whmcsShop } from "../../../../../tests/fixtures/whmcs-shop"

let shop: WhmcsShop
afterEach(() => shop.whmcs.close())

const account = { ...visitor, password: "a long password", existing: false }
const ANA = { customerId: "1", email: visitor.email, locale: "es-es", currency: "EUR", reach: null }

test("a visitor is made a client once, however he types his e-mail and however often at once", async () => {
  shop = await whmcsShop()
  const { office, whmcs } = shop
  const emails = [visitor.email, "ANA.O'Hara@example.test ", visitor.email]
  const found = await Promise.all(emails.map((email) => office.identify({ ...visitor, email })))
  expect(found.map(({ customerId }) => customerId)).toEqual(["1", "1", "1"])
  expect(whmcs.clients).toMatchObject([{ currency: "EUR", language: "spanish", status: "Active" }])
  expect(whmcs.calls.filter(({ action }) => action === "AddClient").length).toBe(1)
  expect(await office.customerOf("Ana.O'Hara@Example.test")).toEqual(ANA)
})

test("a client whom somebody else has made meanwhile is found again", async () => {
  shop = await whmcsShop()
  shop.whmcs.quirks.loseAnswer("AddClient")
  await expect(shop.office.identify(visitor)).rejects.toMatchObject({ kind: "unavailable" })
  expect(await shop.office.identify(visitor)).toEqual(ANA)
  expect(shop.whmcs.clients.length).toBe(1)
})

test("an e-mail nobody has is nobody's, and looking makes no client", async () => {
  shop = await whmcsShop()
  expect(await shop.office.customerOf("nobody@example.test")).toBeNull()
  expect(await shop.office.signIn({ email: "nobody@example.test", password: "x" })).toBeNull()
  expect(shop.whmcs.clients).toEqual([])
})

test("a reseller's new account is made with his password, which he signs in with", async () => {
  shop = await whmcsShop()
  const { office } = shop
  expect(await office.resellerAuth(account)).toMatchObject({ made: true, customer: { customerId: "1" } })
  expect(await office.signIn(account)).toEqual(ANA)
  expect(await office.signIn({ ...account, password: "another" })).toBeNull()
  expect(await office.resellerAuth({ ...account, existing: true })).toEqual({ customer: ANA, made: false })
})

test("whoever wants an account under an e-mail that has one must prove that it is his", async () => {
  shop = await whmcsShop()
  await shop.office.resellerAuth(account)
  expect(await shop.office.resellerAuth(account)).toEqual({ customer: ANA, made: false })
  expect(await shop.office.resellerAuth({ ...account, password: "guessed it" })).toBeNull()
  expect(await shop.office.resellerAuth({ ...account, password: "guessed it", existing: true })).toBeNull()
})

test("a client that was made by buying has a password that nobody knows", async () => {
  shop = await whmcsShop()
  await shop.office.identify(visitor)
  expect(await shop.office.resellerAuth(account)).toBeNull()
})

test("a password alone is no proof where there is a second factor", async () => {
  shop = await whmcsShop()
  await shop.office.resellerAuth(account)
  shop.whmcs.quirks.twoFactor = true
  expect(await shop.office.signIn(account)).toBeNull()
})

test("an older version that tells of a client at the top is understood", async () => {
  shop = await whmcsShop()
  shop.whmcs.quirks.repeatsClient = true
  expect(await shop.office.identify(visitor)).toMatchObject({ customerId: "1", currency: "EUR" })
})

test("a reseller is whoever has a plan for resellers that works", async () => {
  shop = await whmcsShop()
  const { office, whmcs } = shop
  const paid = await paidAt(shop, { pid: "11" })
  const customer = { customerId: paid.customerId, email: visitor.email }
  expect(await office.isReseller(customer)).toBe(false)
  expect(await office.provision(paid)).toMatchObject({ kind: "reseller" })
  expect(await office.isReseller(customer)).toBe(true)
  whmcs.staff.suspend(paid.serviceId)
  expect(await office.isReseller(customer)).toBe(false)
})

test("a click on an affiliate's link is counted there, unless the operator does not want it", async () => {
  shop = await whmcsShop()
  await shop.office.identify(visitor)
  shop.whmcs.affiliates.push({ id: 7, clientId: 1, date: "2026-06-15", visitors: 0 })
  await shop.office.recordClick({ affiliateId: "7", referer: "https://blog.example.test/" })
  await shop.office.recordClick({ affiliateId: "../7", referer: null })
  expect(shop.whmcs.affiliates[0]?.visitors).toBe(1)
})

test("WHMCS sets no password, and has nothing against anybody before an order", async () => {
  shop = await whmcsShop()
  expect(await shop.office.setPassword({ customerId: "1", reach: "account" }, "a long password")).toBe(false)
  expect(await shop.office.endSignUpPassword("1")).toBeNull()
  expect(await shop.office.passesFraudCheck("192.0.2.7")).toBe(true)
})
