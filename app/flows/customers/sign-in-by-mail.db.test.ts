import { describe, expect, inject, test } from "vitest"
import { BillingError } from "~/billing/billing"
import { MINUTE } from "~/domain/calendar"
import { CODE_PERIOD, CODE_TRIES, LINK_PERIOD, REPEAT_PERIOD } from "~/domain/customers/sign-in-request"
import { signInCode, signInToken } from "~/security/sign-in-codes.server"
import { buy } from "../../../tests/fixtures/purchase"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { freshMigratedDatabase } from "../../../tests/support/db/migrated-postgres"
import { requestSignInMail } from "./request-sign-in-mail.server"
import { signInByCode } from "./sign-in-by-code.server"
import { openSignInLink, signInByLink } from "./sign-in-by-link.server"
import { signInMessage } from "./sign-in-message.server"

const EMAIL = "ana@example.test"
const asking = { sessionId: "asking", address: null, visitor: null, known: false }
const who = { address: null, visitor: null, authenticated: false }

async function request({ services }: TestShop, email = EMAIL): Promise<string> {
  const requested = await requestSignInMail(services, { ...asking, email, locale: "de-de" })
  if (requested.kind !== "requested") throw new Error(`Not requested: ${requested.kind}`)
  return requested.requestId
}

const byCode = (
  { services }: TestShop,
  requestId: string,
  changes: { code?: string; sessionId?: string } = {},
) =>
  signInByCode(services, {
    requestId,
    code: signInCode(services.signer, requestId),
    sessionId: "asking",
    who,
    ...changes,
  })
const byLink = ({ services }: TestShop, requestId: string, sessionId = "desktop") =>
  signInByLink(services, { token: signInToken(services.signer, requestId), sessionId })
const wrongCodeOf = ({ services }: TestShop, requestId: string) =>
  signInCode(services.signer, requestId) === "000000" ? "111111" : "000000"

async function withCustomer(): Promise<TestShop> {
  const shop = await openTestShop()
  await buy(shop)
  return shop
}

describe("a sign-in by code", () => {
  test("authenticates the whole account in the session that asked", async () => {
    const shop = await withCustomer()
    const signedIn = await byCode(shop, await request(shop, " ANA@example.test"))
    expect(signedIn).toMatchObject({ kind: "proven", customer: { email: EMAIL, reach: "account" } })
  })

  test.each([
    ["a millisecond before ten minutes", CODE_PERIOD - 1, "proven"],
    ["at ten minutes", CODE_PERIOD, "ended"],
  ])("%s is %s", async (_, wait, kind) => {
    const shop = await withCustomer()
    const id = await request(shop)
    shop.wait(wait)
    expect((await byCode(shop, id)).kind).toBe(kind)
  })

  test("has five tries: the fifth wrong code ends the request, with its link", async () => {
    const shop = await withCustomer()
    const id = await request(shop)
    const code = wrongCodeOf(shop, id)
    const kinds: string[] = []
    for (let tries = 0; tries < CODE_TRIES; tries++) kinds.push((await byCode(shop, id, { code })).kind)
    expect(kinds).toEqual(["wrong", "wrong", "wrong", "wrong", "ended"])
    expect((await byCode(shop, id)).kind).toBe("ended")
    expect(await byLink(shop, id)).toBeNull()
  })

  test("the fifth try may be the right one", async () => {
    const shop = await withCustomer()
    const id = await request(shop)
    const code = wrongCodeOf(shop, id)
    for (let tries = 1; tries < CODE_TRIES; tries++) await byCode(shop, id, { code })
    expect((await byCode(shop, id)).kind).toBe("proven")
  })

  test("in another browser is refused, and costs the one that asked no try", async () => {
    const shop = await withCustomer()
    const id = await request(shop)
    for (let tries = 0; tries < CODE_TRIES; tries++) {
      expect((await byCode(shop, id, { sessionId: "other" })).kind).toBe("ended")
    }
    expect((await byCode(shop, id)).kind).toBe("proven")
  })

  test("of an older request is refused", async () => {
    const shop = await withCustomer()
    const older = await request(shop)
    const newer = await request(shop)
    expect((await byCode(shop, older)).kind).toBe("ended")
    expect((await byCode(shop, newer, { code: signInCode(shop.services.signer, older) })).kind).toBe("wrong")
    expect((await byCode(shop, newer)).kind).toBe("proven")
  })

  test("works once; the same browser may press the button twice", async () => {
    const shop = await withCustomer()
    const id = await request(shop)
    const both = await Promise.all([byCode(shop, id), byCode(shop, id)])
    expect(both.map(({ kind }) => kind)).toEqual(["proven", "proven"])
    expect(await byLink(shop, id)).toBeNull()
    shop.wait(REPEAT_PERIOD)
    expect((await byCode(shop, id)).kind).toBe("ended")
  })

  test("is rate-limited by client", async () => {
    const { services } = await openTestShop()
    const guess = () =>
      signInByCode(services, {
        requestId: "unknown",
        code: "000000",
        sessionId: "asking",
        who: { ...who, visitor: "browser" },
      })
    const kinds = new Set<string>()
    for (let tries = 0; tries < 30; tries++) kinds.add((await guess()).kind)
    expect([...kinds]).toEqual(["ended", "too-many"])
  })
})

describe("a sign-in by link", () => {
  test("authenticates the whole account in any browser, and opening it uses nothing up", async () => {
    const shop = await withCustomer()
    const id = await request(shop)
    const token = signInToken(shop.services.signer, id)
    for (let visits = 0; visits < 10; visits++) {
      expect(await openSignInLink(shop.services, { token, sessionId: `bot ${visits}` })).toMatchObject({
        email: EMAIL,
      })
    }
    expect(await byLink(shop, id)).toMatchObject({
      kind: "proven",
      customer: { email: EMAIL, reach: "account" },
    })
  })

  test.each([
    ["still works a millisecond before fifteen minutes", LINK_PERIOD - 1, true],
    ["works no more at fifteen minutes", LINK_PERIOD, false],
  ])("%s", async (_, wait, works) => {
    const shop = await withCustomer()
    const id = await request(shop)
    shop.wait(wait)
    expect((await byLink(shop, id)) !== null).toBe(works)
  })

  test("works in one browser", async () => {
    const shop = await withCustomer()
    const id = await request(shop)
    const used = await Promise.all(
      ["phone", "desktop", "scanner"].map((browser) => byLink(shop, id, browser)),
    )
    expect(used.filter((it) => it !== null)).toHaveLength(1)
    expect((await byCode(shop, id)).kind).toBe("ended")
  })

  test("of an older request is refused", async () => {
    const shop = await withCustomer()
    const older = await request(shop)
    await request(shop)
    expect(await byLink(shop, older)).toBeNull()
  })

  test.each(["", "forged", "forged.AAAA"])("with the token %j is refused", async (token) => {
    const { services } = await withCustomer()
    expect(await signInByLink(services, { token, sessionId: "desktop" })).toBeNull()
  })
})

describe("a sign-in by mail", () => {
  const stranger = { email: "stranger@example.test", password: "correct horse battery staple" }
  const signUp = async () => {
    const shop = await openTestShop()
    const { billing, now } = shop.services
    const account = { ...stranger, existing: false, locale: "en-en", currency: "EUR" } as const
    await billing.resellerAuth({ ...account, country: "ES", address: null, at: now() })
    return shop
  }

  test.each(["code", "link"] as const)("by %s ends a password chosen at sign-up", async (way) => {
    const shop = await signUp()
    const id = await request(shop, stranger.email)
    const signedIn = await (way === "code" ? byCode(shop, id) : byLink(shop, id))
    expect(signedIn).toMatchObject({ passwordEnded: true, customer: { reach: "account" } })
    expect(await shop.services.billing.signIn(stranger)).toBeNull()
  })

  test.each(["code", "link"] as const)("by %s keeps the customer's own password", async (way) => {
    const shop = await signUp()
    const { id: customerId = "" } = (await shop.services.billing.customerOf(stranger.email)) ?? {}
    await shop.services.billing.setPassword(
      { id: customerId, reach: "account" },
      stranger.password,
      shop.services.now,
    )
    const id = await request(shop, stranger.email)
    expect(await (way === "code" ? byCode(shop, id) : byLink(shop, id))).toMatchObject({
      passwordEnded: false,
    })
    expect(await shop.services.billing.signIn(stranger)).not.toBeNull()
  })

  test("of an unknown e-mail signs nobody in", async () => {
    const shop = await openTestShop()
    const [code, link] = [
      await request(shop, "nobody@example.test"),
      await request(shop, "noone@example.test"),
    ]
    expect((await byCode(shop, code)).kind).toBe("ended")
    expect(await byLink(shop, link)).toBeNull()
  })

  test("uses nothing up while billing is unavailable", async () => {
    const shop = await withCustomer()
    const id = await request(shop)
    const customerOf = () => Promise.reject(new BillingError("unavailable", "no answer"))
    const services = { ...shop.services, billing: { ...shop.services.billing, customerOf } }
    await expect(byLink({ ...shop, services }, id)).rejects.toThrow("no answer")
    expect(await byLink(shop, id)).not.toBeNull()
  })

  test("is requested five times by e-mail and client, and others may still request it", async () => {
    const { services } = await openTestShop()
    const from = (nth: number, email: string) =>
      requestSignInMail(services, { ...asking, address: `93.184.${nth}.34`, email, locale: "en-en" })
    const kinds: string[] = []
    for (let nth = 0; nth < 7; nth++) kinds.push((await from(1, nth % 2 ? EMAIL : "ANA@example.test")).kind)
    expect(kinds.filter((it) => it === "requested")).toHaveLength(5)
    expect(kinds.slice(5)).toEqual(["too-many", "too-many"])
    expect((await from(2, EMAIL)).kind).toBe("requested")
    expect((await from(1, "ben@example.test")).kind).toBe("requested")
  })

  test("is requested twenty times from one address", async () => {
    const { services } = await openTestShop()
    const address = "93.184.216.34"
    const kinds: string[] = []
    for (let nth = 0; nth < 22; nth++) {
      kinds.push(
        (await requestSignInMail(services, { ...asking, address, email: `${nth}@a.test`, locale: "en-en" }))
          .kind,
      )
    }
    expect(kinds.filter((it) => it === "requested")).toHaveLength(20)
  })
})

describe("the message of a sign-in", () => {
  const message = ({ services }: TestShop, requestId: string, email = EMAIL) =>
    signInMessage(services, { requestId, email, locale: "de-de", isByOperator: false })

  test("has code and link in the language of the page, for the address as stored", async () => {
    const shop = await withCustomer()
    const id = await request(shop, "ANA@example.test")
    const { signer } = shop.services
    expect(await message(shop, id, "ANA@example.test")).toEqual({
      email: EMAIL,
      code: signInCode(signer, id),
      codeMinutes: 10,
      url: `https://shop.test/checkout/de-de/success?sign-in=${signInToken(signer, id)}`,
      linkMinutes: 15,
    })
  })

  test("that an operator has sent has the link alone, for as long as that works, and ends the one before", async () => {
    const shop = await withCustomer()
    const { services, wait } = shop
    const ask = { email: EMAIL, locale: "de-de", sessionId: "console", isByOperator: true } as const
    for (const id of ["first", "second"]) {
      await services.signInRequests.create({ ...ask, id, at: services.now() })
      wait(MINUTE)
    }
    const about = { email: EMAIL, locale: "de-de", isByOperator: true } as const
    expect(await signInMessage(services, { ...about, requestId: "first" })).toBeNull()
    wait(12 * MINUTE)
    const sent = await signInMessage(services, { ...about, requestId: "second" })
    expect(sent).toMatchObject({ code: null, url: expect.stringContaining("sign-in=") })
    wait(2 * MINUTE)
    expect(await signInMessage(services, { ...about, requestId: "second" })).toBeNull()
  })

  test("is not sent to an unknown e-mail, nor once the request is replaced, used or expired", async () => {
    const shop = await withCustomer()
    expect(await message(shop, await request(shop, "nobody@example.test"), "nobody@example.test")).toBeNull()
    const [replaced, used] = [await request(shop), await request(shop)]
    expect(await message(shop, replaced)).toBeNull()
    expect(await message(shop, used)).not.toBeNull()
    await byLink(shop, used)
    expect(await message(shop, used)).toBeNull()
    const expired = await request(shop)
    shop.wait(CODE_PERIOD)
    expect(await message(shop, expired)).toBeNull()
  })
})

test("on PostgreSQL one of two browsers that use a link at once is signed in", async () => {
  const shop = await openTestShop({ databaseUrl: await freshMigratedDatabase(inject("postgres")) })
  await buy(shop)
  for (let rounds = 0; rounds < 5; rounds++) {
    const id = await request(shop)
    const used = await Promise.all(["phone", "desktop"].map((browser) => byLink(shop, id, browser)))
    expect(used.filter((it) => it !== null)).toHaveLength(1)
  }
  await shop.billing.close()
})
