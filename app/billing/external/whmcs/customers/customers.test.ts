import { afterEach, expect, test } from "vitest"
import { CustomerRejectedError } from "~/billing/billing"
import { paidAt, visitor, type WhmcsShop, whmcsShop } from "../../../../../tests/fixtures/whmcs-shop"

let shop: WhmcsShop
afterEach(() => shop.whmcs.close())

const account = { ...visitor, password: "a long password", existing: false }
const KEY = expect.stringMatching(/^[0-9a-f-]{36}$/)
const ANA = {
  customerId: "1",
  email: visitor.email,
  locale: "es-es",
  currency: "EUR",
  reach: null,
  key: KEY,
}

test("identify creates one client for concurrent calls with the same email in different spelling", async () => {
  shop = await whmcsShop()
  const { office, whmcs } = shop
  const emails = [visitor.email, "ANA.O'Hara@example.test ", visitor.email]
  const found = await Promise.all(emails.map((email) => office.identify({ ...visitor, email })))
  expect(found.map(({ customerId }) => customerId)).toEqual(["1", "1", "1"])
  expect(whmcs.clients).toMatchObject([{ currency: "EUR", language: "spanish", status: "Active" }])
  expect(whmcs.calls.filter(({ action }) => action === "AddClient").length).toBe(1)
  expect(await office.customerOf("Ana.O'Hara@Example.test")).toEqual(ANA)
})

test("a new client has a name that staff can read in WHMCS's lists: the email's part before the at sign", async () => {
  shop = await whmcsShop()
  await shop.office.identify(visitor)
  expect(shop.whmcs.clients[0]?.details).toMatchObject({ firstname: "ana.o'hara" })
})

test("identify finds the client if the response to AddClient was lost", async () => {
  shop = await whmcsShop()
  shop.whmcs.quirks.dropResponse("AddClient")
  await expect(shop.office.identify(visitor)).rejects.toMatchObject({ kind: "unavailable" })
  expect(await shop.office.identify(visitor)).toEqual(ANA)
  expect(shop.whmcs.clients.length).toBe(1)
})

test("customerOf and signIn return null for an unknown email and create no client", async () => {
  shop = await whmcsShop()
  expect(await shop.office.customerOf("nobody@example.test")).toBeNull()
  expect(await shop.office.signIn({ email: "nobody@example.test", password: "x" })).toBeNull()
  expect(shop.whmcs.clients).toEqual([])
})

test("resellerAuth creates an account whose password signs the reseller in", async () => {
  shop = await whmcsShop()
  const { office } = shop
  expect(await office.resellerAuth(account)).toMatchObject({ made: true, customer: { customerId: "1" } })
  expect(await office.signIn(account)).toEqual(ANA)
  expect(await office.signIn({ ...account, password: "another" })).toBeNull()
  expect(await office.resellerAuth({ ...account, existing: true })).toEqual({ customer: ANA, made: false })
})

test("resellerAuth requires the right password if the email already has an account", async () => {
  shop = await whmcsShop()
  await shop.office.resellerAuth(account)
  expect(await shop.office.resellerAuth(account)).toEqual({ customer: ANA, made: false })
  expect(await shop.office.resellerAuth({ ...account, password: "guessed it" })).toBeNull()
  expect(await shop.office.resellerAuth({ ...account, password: "guessed it", existing: true })).toBeNull()
})

test("resellerAuth rejects any password for a client created by an order", async () => {
  shop = await whmcsShop()
  await shop.office.identify(visitor)
  expect(await shop.office.resellerAuth(account)).toBeNull()
})

test("signIn rejects a user with two-factor authentication", async () => {
  shop = await whmcsShop()
  await shop.office.resellerAuth(account)
  shop.whmcs.quirks.twoFactor = true
  expect(await shop.office.signIn(account)).toBeNull()
})

test("identify reads a client at the top level of the response, as older versions send it", async () => {
  shop = await whmcsShop()
  shop.whmcs.quirks.repeatsClient = true
  expect(await shop.office.identify(visitor)).toMatchObject({ customerId: "1", currency: "EUR" })
})

test("isReseller is true only while the client has an active reseller plan", async () => {
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

test("recordClick records a click for a numeric affiliate id and ignores any other id", async () => {
  shop = await whmcsShop()
  await shop.office.identify(visitor)
  shop.whmcs.affiliates.push({ id: 7, clientId: 1, date: "2026-06-15", visitors: 0 })
  await shop.office.recordClick({ affiliateId: "7", referer: "https://blog.example.test/" })
  await shop.office.recordClick({ affiliateId: "../7", referer: null })
  expect(shop.whmcs.affiliates[0]?.visitors).toBe(1)
})

test("WHMCS sets no passwords and checks no address before an order", async () => {
  shop = await whmcsShop()
  expect(shop.office).toMatchObject({ passwords: null, passesFraudCheck: null })
})

test("identify rejects a closed client and one with a currency that the shop does not support", async () => {
  shop = await whmcsShop()
  const { office, whmcs } = shop
  await office.identify(visitor)
  const [client] = whmcs.clients
  if (!client) throw new Error("Client not found")
  client.status = "Closed"
  await expect(office.identify(visitor)).rejects.toBeInstanceOf(CustomerRejectedError)
  Object.assign(client, { status: "Active", currency: "PLN" })
  await expect(office.identify(visitor)).rejects.toThrow("client 1 pays in PLN")
  await expect(office.identify(visitor)).rejects.toBeInstanceOf(CustomerRejectedError)
  Object.assign(client, { currency: "EUR" })
  expect(await office.identify(visitor)).toMatchObject({ currency: "EUR" })
})

test("identify rejects an email that WHMCS bars", async () => {
  shop = await whmcsShop()
  shop.whmcs.quirks.bannedEmails = /@blocked\.example\.test$/
  const blocked = { ...visitor, email: "ana@blocked.example.test" }
  await expect(shop.office.identify(blocked)).rejects.toBeInstanceOf(CustomerRejectedError)
})
