import { afterEach, beforeEach, expect, test } from "vitest"
import type { ExternalBilling } from "~/billing/external/external-billing"
import { ana, externalOrder, remoteSettings } from "../../../../tests/fakes/legacy-billing-fixtures"
import { type OldBilling, openOldBilling } from "../../../../tests/fakes/legacy-billing-server"
import { openRemote } from "./remote.server"

const PASSWORD = "a password of his own"
const account = { ...ana, password: PASSWORD, existing: false }

let legacyBilling: OldBilling
let externalBilling: ExternalBilling
beforeEach(async () => {
  legacyBilling = await openOldBilling()
  externalBilling = openRemote({ ...remoteSettings, url: legacyBilling.url })
})
afterEach(() => legacyBilling.close())

const requests = (path: string) => legacyBilling.requests.filter((it) => it.path === path)

test("an expired token is renewed once, and the rejected call is sent again", async () => {
  const { customerId } = await externalBilling.identify(ana)
  legacyBilling.store.tokens.clear()
  await externalBilling.placeOrder(externalOrder(customerId))
  const tokens = requests("/order").map(({ bearer }) => bearer)
  expect(tokens).toEqual([expect.stringMatching(/^token-/), expect.stringMatching(/^token-/)])
  expect(tokens[0]).not.toBe(tokens[1])
  expect(legacyBilling.store.services.size).toBe(1)
})

test("concurrent calls with an expired token share one renewal", async () => {
  const { customerId } = await externalBilling.identify(ana)
  legacyBilling.store.tokens.clear()
  await Promise.all([1, 2, 3].map(() => externalBilling.services(customerId)))
  expect(requests("/auth")).toHaveLength(2)
})

test("a call that always returns 401 is sent twice and fails as refused", async () => {
  const { customerId } = await externalBilling.identify(ana)
  legacyBilling.spoil("/order", 401, 401, 401)
  await expect(externalBilling.placeOrder(externalOrder(customerId))).rejects.toMatchObject({
    kind: "refused",
  })
  expect(requests("/order")).toHaveLength(2)
})

test("after a restart a customer's token is renewed by e-mail, if the e-mail is known locally", async () => {
  const { customerId } = await externalBilling.identify(ana)
  const restarted = openRemote({ ...remoteSettings, url: legacyBilling.url, emailOf: async () => ana.email })
  expect(await restarted.services(customerId)).toEqual([])
  const ignorant = openRemote({ ...remoteSettings, url: legacyBilling.url })
  await expect(ignorant.services(customerId)).rejects.toMatchObject({ kind: "refused" })
  expect(legacyBilling.store.clients.size).toBe(1)
})

test("a customer whose generated password is rejected with 401 is found by e-mail", async () => {
  const { customerId } = await externalBilling.identify(ana)
  legacyBilling.spoil("/auth", 401)
  expect(await externalBilling.identify(ana)).toMatchObject({ customerId })
  legacyBilling.spoil("/auth", 401)
  await expect(externalBilling.identify({ ...ana, email: "bob@example.test" })).rejects.toMatchObject({
    kind: "refused",
  })
})

test("a new reseller gets an account and then signs in with its password", async () => {
  const made = await externalBilling.resellerAuth(account)
  expect(made).toMatchObject({ made: true, customer: { email: ana.email } })
  const customerId = made?.customer.customerId
  const { email } = ana
  expect(await externalBilling.signIn({ email, password: PASSWORD })).toMatchObject({ customerId })
  expect(await externalBilling.signIn({ email, password: "another password" })).toBeNull()
  expect(await externalBilling.signIn({ email: "nobody@example.test", password: PASSWORD })).toBeNull()
  expect(requests("/resellerAuth").map(({ params }) => params.existingReseller)).toEqual([
    "false",
    "true",
    "true",
    "true",
  ])
  expect(legacyBilling.store.clients.size).toBe(1)
})

test("a sign-up with a registered e-mail requires the password of that account", async () => {
  await externalBilling.resellerAuth(account)
  expect(await externalBilling.resellerAuth({ ...account, password: "another password" })).toBeNull()
  expect(await externalBilling.resellerAuth(account)).toMatchObject({ made: false })
  expect(await externalBilling.resellerAuth({ ...account, existing: true })).toMatchObject({ made: false })
})

test.each([401, 403, 404] as const)(
  "signIn returns null when the server responds with %i",
  async (status) => {
    legacyBilling.spoil("/resellerAuth", status)
    expect(await externalBilling.signIn({ email: ana.email, password: PASSWORD })).toBeNull()
  },
)

test.each([
  [500, "unavailable"],
  ["html", "unreadable"],
] as const)("signIn throws instead of returning null when the response is %s", async (fault, kind) => {
  legacyBilling.spoil("/resellerAuth", fault)
  await expect(externalBilling.signIn({ email: ana.email, password: PASSWORD })).rejects.toMatchObject({
    kind,
  })
})

test("generated passwords differ by e-mail and by API key", async () => {
  await externalBilling.identify(ana)
  const [client] = legacyBilling.store.clients.values()
  const other = openRemote({
    ...remoteSettings,
    url: legacyBilling.url,
    keys: ["another key that is also long enough"],
  })
  await other.identify({ ...ana, email: "bob@example.test" })
  await externalBilling.identify({ ...ana, email: "carl@example.test" })
  const passwords = [...legacyBilling.store.clients.values()].map(({ password }) => password)
  expect(new Set(passwords).size).toBe(3)
  expect(client?.password).toHaveLength(24)
})

test("setPassword and endSignUpPassword report that an older server does not support them", async () => {
  const { customerId } = await externalBilling.identify(ana)
  expect(await externalBilling.passwords?.setPassword({ customerId, reach: "account" }, PASSWORD)).toBe(false)
  expect(await externalBilling.passwords?.endSignUpPassword(customerId)).toBeNull()
})

test("error messages contain no e-mail, password or API key", async () => {
  legacyBilling.spoil("/auth", 500)
  legacyBilling.spoil("/resellerAuth", "html")
  const failures = await Promise.all([
    externalBilling.identify(ana).catch((it: Error) => it),
    externalBilling.signIn({ email: ana.email, password: PASSWORD }).catch((it: Error) => it),
  ])
  for (const failure of failures) expect(String(failure)).not.toMatch(/Ana@|example\.test|password of|key of/)
})

test("affiliate clicks are sent, IP addresses are checked for fraud, and a new customer is no reseller", async () => {
  const { customerId } = await externalBilling.identify(ana)
  await externalBilling.recordClick({ affiliateId: "77", referer: "https://blog.example.test/" })
  const [click] = requests("/checkout/aff/new_click")
  expect(click).toMatchObject({
    method: "POST",
    params: { aff_id: "77", referer: "https://blog.example.test/" },
  })
  expect(await externalBilling.passesFraudCheck?.("203.0.113.7")).toBe(true)
  expect(await externalBilling.passesFraudCheck?.("203.0.113.66")).toBe(false)
  expect(await externalBilling.isReseller({ customerId, email: ana.email })).toBe(false)
})
