import { afterEach, beforeEach, expect, test } from "vitest"
import { type CheckoutSession, emptySession } from "~/context/session.server"
import { decodeSession } from "~/context/session-cookie.server"
import { respond, type Visit } from "../../../tests/fixtures/shop-router"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

const toGerman = { intent: "language-de-DE" }
const filledIn = {
  ...toGerman,
  plan: "3",
  extraConnection: "on",
  proxyProtection: "on",
  email: "ana at exam",
  gateway: "coinbase",
  coin: "",
  promoCode: " sommer 25",
}

/** Answers a request, with the session that the browser has afterwards. */
async function press(visit: Partial<Visit>) {
  const response = await respond(shop.services, { path: "/", form: filledIn, ...visit })
  const cookies = response.headers.getSetCookie()
  return {
    status: response.status,
    location: response.headers.get("location"),
    language: cookies.find((it) => it.startsWith("browserLang="))?.split(";", 1)[0],
    session: cookies.map(sessionIn).find((it) => it !== null) ?? undefined,
  }
}

function sessionIn(cookie: string): CheckoutSession | null {
  const [, sealed] = /^checkout=([^;]+)/.exec(cookie) ?? []
  return sealed ? decodeSession(shop.services.sessionSeal, sealed, shop.services.now()) : null
}

async function pageFor(session: Partial<CheckoutSession> | undefined, path: string): Promise<string> {
  return (await respond(shop.services, { path, session })).text()
}

test("a change of the language keeps everything that was chosen and typed, right or wrong", async () => {
  const changed = await press({ path: "/?cancelled=K7QM2XDT93" })
  expect(changed).toMatchObject({
    status: 303,
    location: "/checkout/de-de?cancelled=K7QM2XDT93",
    language: "browserLang=de-de",
    session: {
      choices: {
        plan: "3",
        extraConnection: true,
        proxyProtection: true,
        email: "ana at exam",
        gateway: "coinbase",
        promoCode: null,
      },
      typedCode: "sommer 25",
    },
  })
  const page = await pageFor(changed.session, "/de-de.data")
  for (const kept of ["ana at exam", "sommer 25"]) expect(page).toContain(kept)
  expect(await pageFor(changed.session, "/de-de/resellers.data")).not.toContain("sommer 25")
})

test("nothing is checked for a change of the language, and no code is tried", async () => {
  const before = { ...emptySession, sealedAt: shop.services.now() }
  for (const form of [toGerman, { ...filledIn, plan: "99", website: "x" }])
    expect(await press({ form, session: before })).toMatchObject({
      status: 303,
      location: "/checkout/de-de",
      session: { choices: { promoCode: null } },
    })
})

test("an applied code stays applied in the other language, beside one that is typed", async () => {
  const applied = await press({ form: { ...filledIn, intent: "apply-promo", promoCode: "WELCOME10" } })
  const changed = await press({ session: applied.session })
  expect(changed.session).toMatchObject({ choices: { promoCode: "WELCOME10" }, typedCode: "sommer 25" })
})

test("a typed code is kept until the form is sent by another button", async () => {
  const { session } = await press({})
  for (const intent of ["remove-promo", "currency-GBP", "apply-promo"]) {
    const sent = { ...filledIn, intent, promoCode: intent === "apply-promo" ? "WELCOME10" : "" }
    expect((await press({ session, form: sent })).session?.typedCode, intent).toBeUndefined()
  }
  const paid = { ...filledIn, intent: "pay", email: "ana@example.test", promoCode: "" }
  const reviewed = await press({ session, form: paid })
  expect([reviewed.location, reviewed.session?.typedCode]).toEqual(["/checkout/creatingOrder", undefined])
})

test("a reseller's answer about an account, plan, gateway and e-mail stay in the other language", async () => {
  const form = {
    ...toGerman,
    plan: "11",
    existing: "yes",
    email: "ana@example.test",
    password: "correct horse",
    gateway: "coinbase",
    promoCode: "HALF",
  }
  const changed = await press({ path: "/es-es/resellers", form })
  expect(changed).toMatchObject({
    status: 303,
    location: "/checkout/de-de/resellers?existing=yes",
    session: {
      choices: { kind: "reseller", email: "ana@example.test", gateway: "coinbase" },
      typedCode: "HALF",
    },
  })
  const page = await pageFor(changed.session, "/de-de/resellers.data?existing=yes")
  for (const kept of ["ana@example.test", "HALF"]) expect(page).toContain(kept)
  const no = await press({ path: "/resellers?existing=yes", form: { ...form, existing: "no" } })
  expect(no.location).toBe("/checkout/de-de/resellers")
})

test("with script the other language is another document, without an e-mail or a code in its address", async () => {
  const response = await respond(shop.services, { path: "/_root.data", form: filledIn })
  expect(response.headers.getSetCookie().join()).toContain("browserLang=de-de")
  expect(await response.text()).toContain('"redirect","/de-de","status",303,')
})

test("a language that the shop does not have changes nothing", async () => {
  const { status, location } = await press({ form: { ...filledIn, intent: "language-fr-FR" } })
  expect([status, location]).toEqual([400, null])
})

test("a change of the language does not count as a choice of a plan", async () => {
  const { session } = await press({ form: { ...filledIn, counted: " chosen" } })
  expect(session?.countedSteps).toEqual(["chosen"])
  expect((await press({ form: { ...filledIn, counted: "" } })).session?.countedSteps).toEqual([])
})
