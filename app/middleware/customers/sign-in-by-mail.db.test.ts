import { describe, expect, test } from "vitest"
import { emptySession, isKnownBrowser, signedOut } from "~/context/session.server"
import { CODE_PERIOD, CODE_TRIES, LINK_PERIOD } from "~/domain/customers/sign-in-request"
import { signInCode, signInToken } from "~/security/sign-in-codes.server"
import { meet } from "../../../tests/fixtures/middleware-harness"
import { buy, buyPlan } from "../../../tests/fixtures/purchase"
import { choice, openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { orderLink } from "../orders/order-link.server"
import { auth } from "./auth.server"
import { signIn } from "./sign-in.server"
import { signInLink } from "./sign-in-link.server"

const EMAIL = "ana@example.test"
const PAGE = "/checkout/de-de/success"
type Met = Awaited<ReturnType<typeof meet>>

async function withCustomer(): Promise<TestShop> {
  const shop = await openTestShop()
  await buy(shop)
  return shop
}

/** Asks for a message from a page; `from`: the answer before, whose session goes on. */
const ask = (
  { services }: TestShop,
  { email = EMAIL, path = `${PAGE}?signin`, from, address }: Asking = {},
) =>
  meet(signIn, {
    services,
    path,
    form: { email, intent: "sign-in-mail" },
    ...(from && { session: from.session }),
    ...(address && { address }),
  })
type Asking = { email?: string; path?: string; from?: Pick<Met, "session">; address?: string }

const enter = (
  { services }: TestShop,
  asked: Met,
  { code, path = `${PAGE}?signin` }: { code?: string; path?: string } = {},
) => {
  const right = signInCode(services.signer, asked.session.pendingSignIn?.id ?? "")
  const form = { code: code ?? right, intent: "sign-in-code" }
  return meet(signIn, { services, path, form, session: asked.session })
}
const tokenOf = ({ services }: TestShop, { session }: Met) =>
  signInToken(services.signer, session.pendingSignIn?.id ?? "")

describe("asking for a sign-in message", () => {
  test("leads to the screen for its code, which a reload shows again", async () => {
    const shop = await withCustomer()
    const asked = await ask(shop, { email: " Ana@example.test " })
    expect(asked).toMatchObject({ status: 303, location: `${PAGE}?signin` })
    expect(asked.session).toMatchObject({
      id: expect.any(String),
      pendingSignIn: { email: "Ana@example.test", path: PAGE },
    })
    const { services } = shop
    const screen = { kind: "sign-in-code", email: "Ana@example.test", isSentAgain: false, lastResult: null }
    for (let reloads = 0; reloads < 2; reloads++) {
      const visit = { services, path: `${PAGE}?signin`, session: asked.session }
      expect(await meet(signIn, visit)).toMatchObject({ status: 200, screen })
    }
    expect(await meet(auth("buyer"), { services, path: PAGE, session: asked.session })).toMatchObject({
      status: 401,
      screen,
    })
  })

  test("asks for an e-mail again on request, and once the link has expired", async () => {
    const shop = await withCustomer()
    const { session } = await ask(shop)
    const { services } = shop
    const other = await meet(signIn, { services, path: `${PAGE}?signin=email`, session })
    expect(other).toMatchObject({ status: 200, screen: { kind: "sign-in", email: EMAIL } })
    shop.wait(LINK_PERIOD)
    const late = await meet(signIn, { services, path: `${PAGE}?signin`, session })
    expect(late).toMatchObject({ status: 200, screen: { kind: "sign-in" } })
  })

  test("for the same e-mail again says so; the newer message counts", async () => {
    const shop = await withCustomer()
    const first = await ask(shop)
    const second = await ask(shop, { from: first })
    expect(second.location).toBe(`${PAGE}?signin=again`)
    const { services } = shop
    const shown = await meet(signIn, { services, path: `${PAGE}?signin=again`, session: second.session })
    expect(shown.screen).toMatchObject({ kind: "sign-in-code", isSentAgain: true })
    expect((await enter(shop, first)).status).toBe(401)
    expect((await enter(shop, second)).session.customer?.email).toBe(EMAIL)
  })

  test("is answered alike for a known and an unknown e-mail", async () => {
    const shop = await withCustomer()
    const calls: string[][] = []
    const seen = async (email: string) => {
      const made: string[] = []
      calls.push(made)
      const traced = <P extends object>(port: P) =>
        new Proxy(port, {
          get(target, name, receiver) {
            made.push(String(name))
            return Reflect.get(target, name, receiver)
          },
        })
      const services = {
        ...shop.services,
        billing: traced(shop.services.billing),
        signInRequests: traced(shop.services.signInRequests),
      }
      const { status, location, screen, cookies, session } = await ask({ ...shop, services }, { email })
      const { pendingSignIn, id: _, visitor: __, ...rest } = session
      return { status, location, screen, cookies, rest, path: pendingSignIn?.path }
    }
    expect(await seen(EMAIL)).toEqual(await seen("nobody@example.test"))
    expect(calls).toEqual([["create"], ["create"]])
  })

  test("with an invalid e-mail shows an error at the field and stores nothing", async () => {
    const shop = await openTestShop()
    const met = await ask(shop, { email: "ana at example" })
    const lastResult = { initialValue: { email: "ana at example" }, error: { email: [expect.any(String)] } }
    expect(met).toMatchObject({ status: 400, screen: { kind: "sign-in", form: "mail", lastResult } })
    expect(met.session.pendingSignIn).toBeNull()
  })

  test("with the field for robots filled in sends nothing and keeps the e-mail", async () => {
    const { services } = await withCustomer()
    const form = { email: EMAIL, website: "https://spam.test", intent: "sign-in-mail" }
    const met = await meet(signIn, { services, path: `${PAGE}?signin`, form })
    const lastResult = { initialValue: { email: EMAIL }, error: { "": ["signIn.mail.again"] } }
    expect(met).toMatchObject({ status: 400, screen: { form: "mail", lastResult } })
    expect(met.session.pendingSignIn).toBeNull()
  })

  test("is limited: the fields stay, and the visitor reads how long to wait", async () => {
    const shop = await withCustomer()
    const address = "93.184.216.34"
    for (let times = 0; times < 5; times++) expect((await ask(shop, { address })).status).toBe(303)
    for (const email of [EMAIL, EMAIL.toUpperCase()]) {
      const met = await ask(shop, { email, address })
      const lastResult = { initialValue: { email }, error: { "": ["signIn.mail.tooMany"] } }
      expect(met).toMatchObject({ status: 429, screen: { form: "mail", lastResult } })
    }
    expect((await ask(shop, { email: "ben@example.test", address })).status).toBe(303)
  })

  test("by strangers for somebody's e-mail locks neither the owner's browser out nor ends the code", async () => {
    const shop = await withCustomer()
    const signedIn = await enter(shop, await ask(shop, { address: "93.184.216.34" }))
    const signedOutAgain = { session: signedOut(signedIn.session) }
    const waiting = await ask(shop, { address: "93.184.216.34" })
    const strangers: number[] = []
    for (let nth = 0; nth < 100; nth++) {
      strangers.push((await ask(shop, { address: `93.184.${100 + (nth % 20)}.7` })).status)
    }
    expect(strangers.at(-1)).toBe(429)
    expect((await ask(shop, { address: "93.184.216.99" })).status).toBe(429)
    const known = await ask(shop, { from: signedOutAgain, address: "93.184.216.99" })
    expect(known.status).toBe(303)
    expect((await enter(shop, known)).session.customer?.email).toBe(EMAIL)
    expect((await enter(shop, waiting)).session.customer?.email).toBe(EMAIL)
  })

  test("from a browser that knows an e-mail only by what was typed or ordered counts as a stranger's", async () => {
    const shop = await withCustomer()
    const ordered = { ...emptySession, choices: { ...emptySession.choices, email: EMAIL }, orderId: "ORDER" }
    const customer = { id: "c1", email: EMAIL, currency: "EUR", reach: "sign-up" } as const
    expect(isKnownBrowser(ordered, EMAIL)).toBe(false)
    expect(isKnownBrowser({ ...emptySession, customer }, EMAIL)).toBe(false)
    for (let times = 0; times < 5; times++) await ask(shop, { address: "93.184.216.34" })
    const met = await ask(shop, { from: { session: ordered }, address: "93.184.216.34" })
    expect(met.status).toBe(429)
  })

  test("is not offered by a shop without mail", async () => {
    const { services } = await withCustomer()
    const silent = { ...services, shop: { ...services.shop, mailSender: null } }
    const form = { email: EMAIL, intent: "sign-in-mail" }
    const met = await meet(signIn, { services: silent, path: `${PAGE}?signin`, form })
    expect(met).toMatchObject({ status: 400, screen: { form: "password" }, session: { pendingSignIn: null } })
  })
})

describe("the code of a message", () => {
  test.each([
    [`${PAGE}?signin`, PAGE],
    ["/checkout/de-de?signin", PAGE],
    ["/checkout/de-de/resellers?signin", "/checkout/de-de/resellers/success"],
    [`${PAGE}?signin&order=K7QM2XDT93`, `${PAGE}?order=K7QM2XDT93`],
    ["/checkout/de-de/waiting?signin&resume=a.b", "/checkout/de-de/waiting?resume=a.b"],
    ["//evil.test/x?signin", "/evil.test/x"],
  ])("asked for on %s leads to %s", async (path, location) => {
    const shop = await withCustomer()
    const asked = await ask(shop, { path })
    const back = new URL(asked.location ?? "", "https://shop.test")
    expect(back.search).toBe("?signin")
    const entered = await enter(shop, asked, { path: `${back.pathname}${back.search}` })
    expect(entered).toMatchObject({ status: 303, location, session: { customer: { email: EMAIL } } })
    expect(entered.session.pendingSignIn).toBeNull()
  })

  test("that is wrong keeps what was typed; the fifth ends the request", async () => {
    const shop = await withCustomer()
    const asked = await ask(shop)
    const code =
      signInCode(shop.services.signer, asked.session.pendingSignIn?.id ?? "") === "000000"
        ? "111111"
        : "000000"
    const shown: unknown[] = []
    for (let tries = 0; tries <= CODE_TRIES; tries++) {
      const met = await enter(shop, asked, { code: `${code.slice(0, 3)} ${code.slice(3)}` })
      expect(met).toMatchObject({ status: 401, screen: { kind: "sign-in-code" } })
      const { lastResult } = met.screen as unknown as {
        lastResult: { error: { code: string[] }; initialValue: object }
      }
      expect(lastResult.initialValue).toMatchObject({ code: `${code.slice(0, 3)} ${code.slice(3)}` })
      shown.push(lastResult.error.code[0])
    }
    const wrong = Array.from({ length: CODE_TRIES - 1 }, () => "signIn.code.wrong")
    expect(shown).toEqual([...wrong, "signIn.code.ended", "signIn.code.ended"])
    expect((await enter(shop, asked)).session.customer).toBeNull()
  })

  test.each(["", "12345", "abcdef"])("cannot be %j, which costs no try", async (code) => {
    const shop = await withCustomer()
    const asked = await ask(shop)
    for (let tries = 0; tries < 2 * CODE_TRIES; tries++) {
      expect(await enter(shop, asked, { code })).toMatchObject({
        status: 400,
        screen: { lastResult: { error: { code: ["signIn.code.invalid"] } } },
      })
    }
    expect((await enter(shop, asked)).status).toBe(303)
  })

  test("does not work after ten minutes, though the screen still does", async () => {
    const shop = await withCustomer()
    const asked = await ask(shop)
    shop.wait(CODE_PERIOD)
    expect(await enter(shop, asked)).toMatchObject({
      status: 401,
      screen: { kind: "sign-in-code", lastResult: { error: { code: ["signIn.code.ended"] } } },
    })
  })

  test("does not work in another session, nor without one", async () => {
    const shop = await withCustomer()
    const asked = await ask(shop)
    const stolen = { ...asked, session: { ...asked.session, id: "another" } }
    expect((await enter(shop, stolen)).session.customer).toBeNull()
    const { signer } = shop.services
    const code = signInCode(signer, asked.session.pendingSignIn?.id ?? "")
    const none = await enter(shop, { ...asked, session: emptySession }, { code })
    expect(none).toMatchObject({ status: 401, screen: { kind: "sign-in", reason: "old-mail" } })
    expect((await enter(shop, asked)).session.customer?.email).toBe(EMAIL)
  })

  test("informs the customer that a password chosen at sign-up has ended", async () => {
    const shop = await openTestShop()
    const { billing, now } = shop.services
    const account = {
      email: EMAIL,
      password: "correct horse battery",
      existing: false,
      locale: "en-en",
    } as const
    await billing.resellerAuth({ ...account, currency: "EUR", country: "ES", address: null, at: now() })
    const entered = await enter(shop, await ask(shop))
    expect(entered.session).toMatchObject({ passwordEnded: true, proof: { how: "link" } })
  })
})

describe("the link of a message", () => {
  const open = ({ services }: TestShop, token: string, visit: Partial<Parameters<typeof meet>[1]> = {}) =>
    meet(signInLink, { services, path: `${PAGE}?sign-in=${token}`, ...visit })

  test("shows a page with one button in any browser, and nothing is used up", async () => {
    const shop = await withCustomer()
    const token = tokenOf(shop, await ask(shop))
    const bots: { headers?: Record<string, string> }[] = [
      {},
      { headers: { "sec-purpose": "prefetch" } },
      { headers: { "user-agent": "Googlebot/2.1" } },
    ]
    for (const visit of [...bots, ...bots]) {
      const met = await open(shop, token, visit)
      expect(met).toMatchObject({ status: 200, screen: { kind: "sign-in-link", email: EMAIL } })
      expect(met.session.customer).toBeNull()
    }
    const pressed = await open(shop, token, { form: {} })
    expect(pressed).toMatchObject({ status: 303, location: PAGE, session: { customer: { email: EMAIL } } })
  })

  test("pressed twice signs the same browser in, and no other one", async () => {
    const shop = await withCustomer()
    const token = tokenOf(shop, await ask(shop))
    const { session } = await open(shop, token)
    expect(session.id).not.toBeNull()
    const pressed = await Promise.all([
      open(shop, token, { form: {}, session }),
      open(shop, token, { form: {}, session }),
    ])
    expect(pressed.map((it) => it.session.customer?.email)).toEqual([EMAIL, EMAIL])
    const other = await open(shop, token, { form: {} })
    expect(other).toMatchObject({ status: 401, screen: { kind: "sign-in", reason: "old-mail" } })
    expect(other.session.customer).toBeNull()
  })

  test("leads the browser that has asked to the page that it wanted", async () => {
    const shop = await withCustomer()
    const asked = await ask(shop, { path: `${PAGE}?signin&order=K7QM2XDT93` })
    const pressed = await open(shop, tokenOf(shop, asked), { form: {}, session: asked.session })
    expect(pressed.location).toBe(`${PAGE}?order=K7QM2XDT93`)
  })

  test.each([
    ["expired", LINK_PERIOD, (token: string) => token],
    ["forged", 0, (token: string) => `${token.slice(0, -4)}AAAA`],
    ["empty", 0, () => ""],
  ])("%s shows the reason", async (_, wait, forge) => {
    const shop = await withCustomer()
    const token = forge(tokenOf(shop, await ask(shop)))
    shop.wait(wait)
    for (const visit of [{}, { form: {} }]) {
      expect(await open(shop, token, visit)).toMatchObject({
        status: 401,
        screen: { kind: "sign-in", reason: "old-mail" },
        session: { customer: null },
      })
    }
  })

  test("opened again by the customer whom it has signed in leads to the services", async () => {
    const shop = await withCustomer()
    const token = tokenOf(shop, await ask(shop))
    const { session } = await open(shop, token, { form: {} })
    shop.wait(LINK_PERIOD)
    expect((await open(shop, token, { session })).location).toBe(PAGE)
  })

  test("still asks whoever is signed in to their own sign-up alone, since it opens the whole account", async () => {
    const shop = await withCustomer()
    const token = tokenOf(shop, await ask(shop))
    const { session } = await open(shop, token, { form: {} })
    if (!session.customer) throw new Error("Nobody is signed in")
    const signUp = {
      ...session,
      customer: { ...session.customer, reach: "sign-up" as const, passwordId: "p" },
    }
    const later = tokenOf(shop, await ask(shop))
    expect((await open(shop, later, { session: signUp })).screen).toMatchObject({ email: EMAIL })
    const pressed = await open(shop, later, { form: {}, session: signUp })
    expect(pressed.session.customer).toMatchObject({ email: EMAIL, reach: "account" })
  })

  test("of another account asks a signed-in customer first", async () => {
    const shop = await withCustomer()
    await buy(shop, { key: "draft-2", choices: { ...choice, email: "ben@example.test" } })
    const { session } = await open(shop, tokenOf(shop, await ask(shop)), { form: {} })
    const token = tokenOf(shop, await ask(shop, { email: "ben@example.test" }))
    expect((await open(shop, token, { session })).screen).toMatchObject({ email: "ben@example.test" })
    const pressed = await open(shop, token, { form: {}, session })
    expect(pressed.session).toMatchObject({ customer: { email: "ben@example.test" }, orderId: null })
  })

  test("of an older message is refused, and the newer one works", async () => {
    const shop = await withCustomer()
    const first = await ask(shop)
    const older = tokenOf(shop, first)
    const newer = tokenOf(shop, await ask(shop, { from: first }))
    expect((await open(shop, older)).status).toBe(401)
    expect((await open(shop, newer)).status).toBe(200)
  })
})

describe("the order of a link", () => {
  const follow = ({ services }: TestShop, id: string, session: Parameters<typeof meet>[1]["session"] = {}) =>
    meet(orderLink, { services, path: `${PAGE}?order=${id}&done=device`, session })
  const customer = (customerId: string) => ({
    id: customerId,
    email: EMAIL,
    currency: "EUR" as const,
    reach: "account" as const,
  })

  test("shows the sign-in screen to a browser that does not know the order, and to one that has another", async () => {
    const shop = await openTestShop()
    const { id } = await buyPlan(shop)
    const other = await buyPlan(shop, { key: "draft-2", choices: { ...choice, email: "ben@example.test" } })
    const sessions = [{}, { orderId: other.id, serviceIds: [other.serviceId] }]
    for (const session of sessions) {
      for (const named of [id, "NO SUCH ORDER", ""]) {
        expect(await follow(shop, named, session)).toMatchObject({
          status: 401,
          screen: { kind: "sign-in", reason: "order" },
        })
      }
    }
  })

  test("selects the order's service in the browser that has bought it, and keeps its current order", async () => {
    const shop = await openTestShop()
    const { id, serviceId } = await buyPlan(shop)
    const met = await follow(shop, id, { orderId: "CURRENT", serviceIds: ["s9", serviceId] })
    expect(met).toMatchObject({ location: `${PAGE}?done=device`, session: { orderId: "CURRENT", serviceId } })
  })

  test("takes no form away that is sent from its URL", async () => {
    const shop = await withCustomer()
    const path = `${PAGE}?order=K7QM2XDT93`
    const met = await meet(orderLink, { services: shop.services, path, form: { intent: "device" } })
    expect(met).toMatchObject({ status: 200, location: null, screen: null })
  })

  test("leads to no other host from a path with two leading slashes", async () => {
    const { services } = await openTestShop()
    const session = { customer: customer("c1") }
    const met = await meet(orderLink, { services, path: "//evil.test/success?order=K7QM2XDT93", session })
    expect(met.location).toBe("/evil.test/success")
  })

  test("selects the order's service for its customer", async () => {
    const shop = await openTestShop()
    const { id, serviceId, customerId } = await buyPlan(shop)
    const met = await follow(shop, id, { customer: customer(customerId) })
    expect(met).toMatchObject({ location: `${PAGE}?done=device`, session: { serviceId } })
  })

  test("resumes an unpaid order for its customer, as long as they are signed in", async () => {
    const shop = await openTestShop()
    const { order } = await buy(shop)
    const met = await follow(shop, order.id, { customer: customer(order.customerId) })
    expect(met.session).toMatchObject({ orderId: order.id, orderByProof: true })
  })

  test("opens nothing for another customer, nor for a sign-up that has not placed it", async () => {
    const shop = await openTestShop()
    const { id, customerId } = await buyPlan(shop)
    const others = [customer("c9"), { ...customer(customerId), reach: "sign-up" as const, passwordId: "p1" }]
    for (const other of others) {
      const met = await follow(shop, id, { customer: other })
      expect(met.session).toMatchObject({ orderId: null, serviceId: null })
      expect(met.location).toBe(`${PAGE}?done=device`)
    }
  })
})
