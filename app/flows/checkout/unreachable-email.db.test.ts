import { afterEach, beforeEach, expect, test } from "vitest"
import { BillingError } from "~/billing/billing"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { isUnreachable, warnsOfEmail } from "./unreachable-email.server"

const EMAIL = "ana@example.test"
const who = { address: "93.184.216.34", visitor: "browser 1", authenticated: false }

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

const suppress = (scope: "all" | "reminder", email = EMAIL) =>
  shop.services.mails.suppress({ email, scope, reason: "550 5.1.1 no such user", at: shop.services.now() })

test("an e-mail whose mailbox does not exist is unreachable, however it is written", async () => {
  expect(await isUnreachable(shop.services, EMAIL)).toBe(false)
  await suppress("all")
  expect(await isUnreachable(shop.services, " ANA@example.test")).toBe(true)
  expect(await warnsOfEmail(shop.services, EMAIL, who)).toBe(true)
})

test("who has unsubscribed from reminders is not told by the form that anyone fills in", async () => {
  await suppress("reminder")
  expect(await warnsOfEmail(shop.services, EMAIL, who)).toBe(false)
})

test("a visitor who tries out e-mails is told nothing any more, whether or not they are suppressed", async () => {
  await suppress("all")
  for (let nth = 0; nth < 20; nth++) await warnsOfEmail(shop.services, `${nth}@example.test`, who)
  expect(await warnsOfEmail(shop.services, EMAIL, who)).toBe(false)
  expect(await warnsOfEmail(shop.services, EMAIL, { ...who, visitor: "browser 2" })).toBe(true)
})

test("without cookies an address tries out 120 e-mails, and is told nothing any more", async () => {
  await suppress("all")
  const nobody = { ...who, visitor: null }
  const told: boolean[] = []
  for (let nth = 0; nth < 121; nth++) told.push(await warnsOfEmail(shop.services, EMAIL, nobody))
  expect(told.filter(Boolean)).toHaveLength(120)
})

test("an e-mail that no mail server takes is named to everybody, whatever the limit", async () => {
  for (let nth = 0; nth < 25; nth++) {
    expect(await warnsOfEmail(shop.services, "ana@example..test", who)).toBe(true)
    expect(await isUnreachable(shop.services, "ana,bea@example.test")).toBe(true)
  }
  await suppress("all")
  expect(await warnsOfEmail(shop.services, EMAIL, who)).toBe(true)
})

test("a shop without mail says nothing about e-mails", async () => {
  await suppress("all")
  const silent = { ...shop.services, shop: { ...shop.services.shop, mailSender: null } }
  expect([await isUnreachable(silent, EMAIL), await warnsOfEmail(silent, EMAIL, who)]).toEqual([false, false])
})

test("while the database is unavailable nobody is warned, and the order reports the outage", async () => {
  const mails = { ...shop.services.mails, suppressionsOf: unavailable }
  expect(await warnsOfEmail({ ...shop.services, mails }, EMAIL, who)).toBe(false)
})

async function unavailable(): Promise<never> {
  throw new BillingError("unavailable", "Database unavailable: connect ECONNREFUSED")
}
