import { afterEach, beforeEach, expect, test } from "vitest"
import { openWhmcs } from "~/billing/external/whmcs/whmcs.server"
import { type CheckoutSession, emptySession, signedIn } from "~/context/session.server"
import { decodeSession } from "~/context/session-cookie.server"
import type { Currency } from "~/domain/money/money"
import { openMirrorUnderTest } from "../../../tests/contracts/billing/mirror"
import { startWhmcs, type Whmcs } from "../../../tests/fakes/whmcs-simulator/start"
import { callsTo, client } from "../../../tests/fakes/whmcs-simulator/test-client"
import { respond, type Visit } from "../../../tests/fixtures/shop-router"
import { choice, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { settingsFor } from "../../../tests/fixtures/whmcs-shop"

let whmcs: Whmcs
let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop({
    openBilling: async (now) => {
      whmcs = await startWhmcs({ now, autosetup: "", fieldNames: [] })
      return openMirrorUnderTest(() => openWhmcs(settingsFor(whmcs)), { now })
    },
  })
  await client(callsTo(whmcs).call, { email: choice.email, currency: 2 })
})
afterEach(async () => {
  await shop.billing.close()
  await whmcs.close()
})

const form = { plan: "3", email: choice.email, gateway: "offshore", promoCode: "", intent: "pay" }

/** A browser in which a currency was chosen before the customer signed in. */
async function signedInBrowser(changes: Partial<CheckoutSession> = {}): Promise<CheckoutSession> {
  const customer = await shop.services.billing.customerOf(choice.email)
  if (!customer) throw new Error("WHMCS has no such client")
  const sealedAt = shop.services.now()
  const before = { ...emptySession, sealedAt, currency: "EUR" as const }
  const proof = { how: "link", at: sealedAt } as const
  return { ...signedIn(before, customer, proof), currency: "EUR", ...changes }
}

/** Visits a page: its currencies, and the session that the browser has afterwards. */
async function visit(session: CheckoutSession, at: Partial<Visit>) {
  const response = await respond(shop.services, { path: "/_root.data", session, ...at })
  const text = await response.text()
  const cookie = response.headers.getSetCookie().join("; ")
  const [, sealed] = /(?:^|; )checkout=([^;]+)/.exec(cookie) ?? []
  const now = shop.services.now()
  return {
    status: response.status,
    currencies: [...new Set(text.match(/\b(?:EUR|GBP|USD)\b/g))].toSorted(),
    text,
    session: sealed ? decodeSession(shop.services.sessionSeal, sealed, now) : session,
  }
}

/** Fills the checkout in and looks at the review. */
async function review(session: CheckoutSession, sent: Record<string, string> = {}) {
  const { session: filled } = await visit(session, { path: "/", form: { ...form, ...sent } })
  return visit(filled, { path: "/creatingOrder.data" })
}

test("a signed-in client of WHMCS sees the prices in the account's only currency, whatever was chosen before", async () => {
  const browser = await signedInBrowser()
  expect((await visit(browser, {})).currencies).toEqual(["GBP"])
  expect((await visit(browser, { path: "/resellers.data" })).currencies).toEqual(["GBP"])
  const reviewed = await review(browser)
  expect(reviewed.currencies).toEqual(["GBP"])
  expect(reviewed.text).not.toContain("price-changed")
})

test("a currency that the account cannot pay in is not taken from a page that offered it before", async () => {
  const pressed = await visit(await signedInBrowser(), {
    path: "/",
    form: { ...form, intent: "currency-USD" },
  })
  expect((await visit(pressed.session, {})).currencies).toEqual(["GBP"])
})

/** Sends the review as it is: its answer, and the currency of the order that was placed. */
async function order({ session }: { session: CheckoutSession }) {
  const { key: draft = "", total = 0 } = session.draft ?? {}
  const sent = await visit(session, { path: "/creatingOrder", form: { draft, total: String(total) } })
  const placed = await shop.services.billing.orderByIdempotencyKey(draft)
  return { ...sent, placedIn: placed?.total.currency }
}

function staffChangeCurrency(currency: Currency) {
  for (const row of whmcs.clients) Object.assign(row, { currency })
}

test("a currency that WHMCS has changed since the sign-in is asked for once, and holds from then on", async () => {
  const reviewed = await review(await signedInBrowser())
  staffChangeCurrency("USD")
  const refused = await order(reviewed)
  expect([refused.status, refused.placedIn]).toEqual([409, undefined])
  const again = await visit(refused.session, { path: "/creatingOrder.data" })
  expect([again.currencies, again.text.includes("price-changed")]).toEqual([["USD"], false])
  expect((await order(again)).placedIn).toBe("USD")
  expect((await visit({ ...refused.session, draft: null }, {})).currencies).toEqual(["USD"])
})

test("an order for another e-mail is one of another account, in the currency that this one needs", async () => {
  const other = "ben@example.test"
  await client(callsTo(whmcs).call, { email: other, currency: 3 })
  const reviewed = await review(await signedInBrowser(), { email: other })
  expect(reviewed.currencies).toEqual(["GBP"])
  const refused = await order(reviewed)
  expect([refused.status, refused.placedIn]).toEqual([409, undefined])
  const again = await visit(refused.session, { path: "/creatingOrder.data" })
  expect(again.currencies).toEqual(["USD"])
  expect((await order(again)).placedIn).toBe("USD")
})
