import { beforeEach, describe, expect, test } from "vitest"
import { DAY, MINUTE, SECOND } from "~/domain/calendar"
import { RECENT_PROOF_PERIOD } from "~/domain/customers/customer"
import { EMAIL_CODE_PERIOD, EMAIL_UNDO_PERIOD } from "~/domain/customers/email-change"
import type { Order } from "~/domain/orders/order"
import { accountPath, emailChangeLinkPath, pathOf } from "~/domain/orders/screen-paths"
import { runMailQueue } from "~/flows/mail/run-mail-queue.server"
import type { Mailer, OutgoingMail } from "~/mail/mailer"
import { emailChangeCode, emailChangeToken } from "~/security/email-change-codes.server"
import { limits } from "~/security/rate-limits.server"
import { buyPlan } from "../../../tests/fixtures/purchase"
import { customerSession, sessionLeft } from "../../../tests/fixtures/session-harness"
import { respond, type Visit } from "../../../tests/fixtures/shop-router"
import { choice, openTestShop } from "../../../tests/fixtures/test-shop"

const NEW = "anna@example.test"
const PASSWORD = "correct horse battery staple"
const accountData = accountPath.replace("?", ".data?")

type Session = NonNullable<Visit["session"]>

async function open() {
  const handed: OutgoingMail[] = []
  const mailer: Mailer = {
    async send(mail) {
      handed.push(mail)
      return { kind: "sent", response: "250 ok" }
    },
  }
  const mail = { orders: true, reminders: false, operator: false, creditsLow: 5 }
  const shop = await openTestShop({ mailer, mail })
  const bought = await buyPlan(shop)
  const mails = async () => {
    const { signal } = new AbortController()
    for (const queue of ["sign-in-mail", "mail"] as const)
      await runMailQueue({ ...shop.services, mailer }, { queue, signal })
    return handed.splice(0)
  }
  await mails()
  return { ...shop, bought, mails }
}

let shop: Awaited<ReturnType<typeof open>>
beforeEach(async () => {
  shop = await open()
  return () => shop.billing.close()
})

/** A session of the customer of an order, signed in by mail a moment ago. */
function sessionOf(order: Order, changes: Session = {}): Session {
  const proof = { how: "link", at: shop.services.now() - SECOND } as const
  return customerSession(shop, order, { proof, ...changes })
}

const post = (session: Session, form: Record<string, string>) =>
  respond(shop.services, { path: accountPath, session, form })
const ask = (session: Session, fields: Record<string, string> = {}) =>
  post(session, { intent: "change-email", email: NEW, ...fields })
const type = (session: Session, code: string) => post(session, { intent: "confirm-email", code })
const shown = async (session: Session) =>
  (await respond(shop.services, { path: accountData, session })).text()

/** The answer of a refused form, as the page gets it. */
async function refusal(session: Session, form: Record<string, string>) {
  const response = await respond(shop.services, { path: accountData, session, form })
  return { status: response.status, text: await response.text(), wait: response.headers.get("retry-after") }
}

async function pendingOf({ customerId }: Order) {
  const change = await shop.services.emailChanges?.openOf(customerId, 0)
  if (!change) throw new Error("No change of e-mail is open")
  const { signer } = shop.services
  return {
    code: emailChangeCode(signer, change.id),
    path: emailChangeLinkPath(emailChangeToken(signer, change.id)),
  }
}

const customerOf = (email: string) => shop.services.billing.customerOf(email)
const setPassword = ({ customerId }: Order) =>
  shop.services.billing.setPassword({ id: customerId, reach: "account" }, PASSWORD, () => 0)

describe("the change of e-mail on the page of an account", () => {
  test("needs the code of the new address; this browser goes on, and all others are signed out", async () => {
    const [session, other] = [sessionOf(shop.bought), sessionOf(shop.bought, { id: "s2" })]
    const asked = await ask(session)
    expect([asked.status, asked.headers.get("location")]).toEqual([
      303,
      "/checkout/success?account&email#email",
    ])
    expect(await customerOf(NEW)).toBeNull()
    expect(await shown(session)).toContain(NEW)
    const { code } = await pendingOf(shop.bought)
    const changed = await type(session, `${code.slice(0, 3)} ${code.slice(3)}`)
    expect([changed.status, changed.headers.get("location")]).toEqual([
      303,
      "/checkout/success?account&done=email#main",
    ])
    const own = sessionLeft(shop, changed)
    expect(own).toMatchObject({ customer: { email: NEW }, choices: { email: NEW } })
    expect(own.id).not.toBe(session.id)
    expect(await shown(own)).toContain(shop.bought.id)
    expect((await respond(shop.services, { path: accountPath, session: other })).status).toBe(401)
    expect((await respond(shop.services, { path: accountPath, session })).status).toBe(401)
    expect(await customerOf(shop.bought.email)).toBeNull()
  })

  test("writes to both addresses at each step; only the present one gets the link, the new one the code", async () => {
    const session = sessionOf(shop.bought)
    await ask(session)
    const { code, path } = await pendingOf(shop.bought)
    const [toNew, toPresent, ...others] = await shop.mails()
    expect([toNew?.to.address, toPresent?.to.address, others]).toEqual([NEW, shop.bought.email, []])
    expect(toNew?.text).toContain(code)
    expect(toNew?.text).not.toContain("email-change=")
    expect(toPresent?.text).toContain(`https://shop.test/checkout${path}`)
    expect(toPresent?.text).not.toContain(code)
    expect(`${toPresent?.html}${toPresent?.text}`).not.toContain(NEW)
    await type(session, code)
    const after = await shop.mails()
    expect(after.map(({ to, text }) => [to.address, text.includes(path)]).toSorted()).toEqual(
      [
        [shop.bought.email, true],
        [NEW, false],
      ].toSorted(),
    )
  })

  test("answers the same for an address of another customer, whose owner is told", async () => {
    const other = await buyPlan(shop, { key: "other", choices: { ...choice, email: "eva@example.test" } })
    await shop.mails()
    const [free, taken] = [
      await ask(sessionOf(shop.bought)),
      await ask(sessionOf(shop.bought), { email: other.email }),
    ]
    const answerOf = ({ status, headers }: Response) => [status, headers.get("location")]
    expect(answerOf(taken)).toEqual(answerOf(free))
    const [message] = (await shop.mails()).filter(({ to }) => to.address === other.email)
    expect(message?.subject).toBe("You already have an account at Test")
    expect(message?.text).not.toMatch(/\d{6}/)
    // Also who could guess the code would not get the address.
    const { code } = await pendingOf(shop.bought)
    expect((await type(sessionOf(shop.bought), code)).status).toBe(401)
    expect(await customerOf(other.email)).toMatchObject({ id: other.customerId })
  })

  test("asks for the password of the account, if there is one", async () => {
    await setPassword(shop.bought)
    const session = sessionOf(shop.bought)
    const form = { intent: "change-email", email: NEW }
    const [missing, wrong] = [
      await refusal(session, form),
      await refusal(session, { ...form, password: "another one" }),
    ]
    expect([missing.status, wrong.status]).toEqual([400, 401])
    expect(missing.text).toContain("signIn.passwordRequired")
    expect(wrong.text).toContain("account.email.wrongPassword")
    expect(wrong.text).toContain(NEW)
    expect(wrong.text).not.toContain("another one")
    expect(await shop.services.emailChanges?.openOf(shop.bought.customerId, 0)).toBeNull()
    expect((await ask(session, { password: PASSWORD })).status).toBe(303)
    await pendingOf(shop.bought)
  })

  test("asks who has no password to sign in by mail again, unless that was a moment ago", async () => {
    const proof = { how: "link", at: shop.services.now() - RECENT_PROOF_PERIOD } as const
    const stale = sessionOf(shop.bought, { proof })
    expect(await shown(stale)).toContain("Sign in again by email first")
    await ask(stale)
    expect(await shop.services.emailChanges?.openOf(shop.bought.customerId, 0)).toBeNull()
    const again = await post(stale, { intent: "sign-in-again" })
    expect([again.status, again.headers.get("location")]).toEqual([303, "/checkout/success?account"])
    const signedOut = sessionLeft(shop, again)
    expect(signedOut).toMatchObject({ customer: null, choices: { email: shop.bought.email } })
    expect((await respond(shop.services, { path: accountPath, session: signedOut })).status).toBe(401)
  })

  test.each([
    ["no address", "ana at example", 400, "checkout.email.invalid"],
    ["the present one", " ANA@example.test", 422, "account.email.same"],
  ])("refuses %s at the field, with what was typed", async (_, email, status, message) => {
    const refused = await refusal(sessionOf(shop.bought), { intent: "change-email", email })
    expect(refused.status).toBe(status)
    expect(refused.text).toContain(message)
    expect(refused.text).toContain(email)
  })

  test("ends after five wrong codes, and with its time", async () => {
    const session = sessionOf(shop.bought)
    await ask(session)
    const { code } = await pendingOf(shop.bought)
    const wrong = code === "000000" ? "111111" : "000000"
    const answers = []
    for (let tried = 0; tried < 5; tried++)
      answers.push((await refusal(session, { intent: "confirm-email", code: wrong })).text)
    expect(answers.map((it) => /account\.email\.code(?:Wrong|Ended)/.exec(it)?.[0])).toEqual([
      ...Array.from({ length: 4 }, () => "account.email.codeWrong"),
      "account.email.codeEnded",
    ])
    expect((await type(session, code)).status).toBe(401)
    await ask(session)
    const late = await pendingOf(shop.bought)
    shop.wait(EMAIL_CODE_PERIOD)
    expect((await type(session, late.code)).status).toBe(401)
    expect(await customerOf(NEW)).toBeNull()
  })

  test("takes no code of another customer's change", async () => {
    const other = await buyPlan(shop, { key: "other", choices: { ...choice, email: "eva@example.test" } })
    await ask(sessionOf(shop.bought))
    await ask(sessionOf(other, { id: "s2" }), { email: "eve@example.test" })
    const { code } = await pendingOf(shop.bought)
    expect((await type(sessionOf(other, { id: "s2" }), code)).status).toBe(401)
    expect(await customerOf(NEW)).toBeNull()
  })

  test("is limited, and says for how long", async () => {
    const session = sessionOf(shop.bought, { visitor: "browser 1" })
    for (let asked = 0; asked < limits.emailChangesOfCustomer; asked++)
      expect((await ask(session, { email: `anna${asked}@example.test` })).status).toBe(303)
    const { status, text, wait } = await refusal(session, { intent: "change-email", email: NEW })
    expect([status, Number(wait) > 0]).toEqual([429, true])
    expect(text).toContain("signIn.tooMany")
  })

  const byUnsignedLink = (session: Session): Session => ({
    ...session,
    proof: { how: "trusted-link", at: session.sealedAt ?? 0 },
  })
  const trusting = () => ({ shop: { ...shop.services.shop, trustEmailLinks: true } })
  test.each<[string, (session: Session) => Session, () => Partial<typeof shop.services>]>([
    [
      "a sign-up",
      ({ customer, ...rest }) => ({ ...rest, customer: customer && { ...customer, reach: "sign-up" } }),
      () => ({}),
    ],
    ["an unsigned link", byUnsignedLink, trusting],
    ["an unsigned link once the shop trusts none any more", byUnsignedLink, () => ({})],
    ["whoever has typed a password in a shop that trusts unsigned links", (session) => session, trusting],
    ["a shop on an external billing", (session) => session, () => ({ emailChanges: null })],
  ])("is not offered to %s, and its forms are not found", async (_, change, services) => {
    shop.services = { ...shop.services, ...services() }
    const session = change(sessionOf(shop.bought))
    expect(await shown(session)).not.toContain("Change your email")
    expect((await ask(session)).status).toBe(404)
    expect((await type(session, "123456")).status).toBe(404)
  })

  test("without mail it is not offered", async () => {
    shop.services = { ...shop.services, shop: { ...shop.services.shop, mailSender: null } }
    expect((await ask(sessionOf(shop.bought))).status).toBe(404)
  })
})

describe("the link of the former address", () => {
  const visit = (path: string, form?: Record<string, string>) =>
    respond(shop.services, { path, ...(form && { form }) })
  async function screenOf(path: string) {
    const response = await visit(path.replace("?", ".data?"))
    return { status: response.status, text: await response.text() }
  }

  test("opens a page with a button, and changes nothing by being opened", async () => {
    await ask(sessionOf(shop.bought))
    const { code, path } = await pendingOf(shop.bought)
    const { status, text } = await screenOf(path)
    expect(status).toBe(200)
    expect(text).toContain("Stop the change")
    expect(text).not.toContain(NEW)
    expect((await type(sessionOf(shop.bought), code)).status).toBe(303)
  })

  test("stops the change in any browser: its code is worth nothing, and everybody is signed out", async () => {
    const session = sessionOf(shop.bought)
    await setPassword(shop.bought)
    await ask(session, { password: PASSWORD })
    const { code, path } = await pendingOf(shop.bought)
    const stopped = await visit(path, { any: "button" })
    expect([stopped.status, stopped.headers.get("location")]).toEqual([303, `/checkout${path}`])
    expect((await screenOf(path)).text).toContain("Your account keeps this address")
    expect((await type(session, code)).status).toBe(401)
    expect(await shop.services.billing.signIn({ email: shop.bought.email, password: PASSWORD })).toBeNull()
    expect(await customerOf(NEW)).toBeNull()
  })

  test("undoes the change for seven days, and no longer", async () => {
    const session = sessionOf(shop.bought)
    await ask(session)
    const { code, path } = await pendingOf(shop.bought)
    const own = sessionLeft(shop, await type(session, code))
    shop.wait(EMAIL_UNDO_PERIOD - MINUTE)
    expect((await screenOf(path)).text).toContain("Undo the change")
    expect((await visit(path, { any: "button" })).status).toBe(303)
    expect(await customerOf(shop.bought.email)).toMatchObject({ id: shop.bought.customerId })
    expect(await customerOf(NEW)).toBeNull()
    expect((await respond(shop.services, { path: accountPath, session: own })).status).toBe(401)
  })

  test.each([
    ["sends to support", "https://tv.example/help", true],
    ["names no support that there is not", null, false],
  ])("of an address that somebody has bought with since %s", async (_, support, isNamed) => {
    const { services } = shop
    Object.assign(services, { shop: { ...services.shop, links: { ...services.shop.links, support } } })
    await ask(sessionOf(shop.bought))
    const { code, path } = await pendingOf(shop.bought)
    await type(sessionOf(shop.bought), code)
    await buyPlan(shop, { key: "another" })
    const response = await visit(path.replace("?", ".data?"), { any: "button" })
    expect(response.status).toBe(409)
    const text = await response.text()
    expect(text).toContain("Nothing has been changed.")
    expect(text.includes("Please contact support.")).toBe(isNamed)
  })

  test("is over after seven days", async () => {
    const session = sessionOf(shop.bought)
    await ask(session)
    const { code, path } = await pendingOf(shop.bought)
    await type(session, code)
    shop.wait(EMAIL_UNDO_PERIOD)
    expect((await screenOf(path)).status).toBe(404)
    expect((await visit(path, { any: "button" })).status).toBe(404)
    expect(await customerOf(NEW)).toMatchObject({ id: shop.bought.customerId })
  })

  test("that is forged says nothing of a change", async () => {
    await ask(sessionOf(shop.bought))
    const { path } = await pendingOf(shop.bought)
    const forged = `${path.slice(0, -2)}zz`
    expect((await screenOf(forged)).status).toBe(404)
    expect((await visit(forged, { any: "button" })).status).toBe(404)
    expect((await visit(`${pathOf.viewer.success}?email-change=`)).status).toBe(404)
    await pendingOf(shop.bought)
  })

  test("is not mailed any more once the change has been stopped, nor the code", async () => {
    await ask(sessionOf(shop.bought))
    const { path } = await pendingOf(shop.bought)
    await visit(path, { any: "button" })
    expect(await shop.mails()).toEqual([])
  })

  test("of a change that was swept away after thirty days is over", async () => {
    await ask(sessionOf(shop.bought))
    const { path } = await pendingOf(shop.bought)
    expect(await shop.services.emailChanges?.deleteChanges(shop.services.now() + DAY)).toBe(1)
    expect((await screenOf(path)).status).toBe(404)
  })
})
