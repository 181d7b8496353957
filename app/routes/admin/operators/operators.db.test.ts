import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { HOUR, MINUTE } from "~/domain/calendar"
import { accountActions } from "~/domain/operators/operator-account"
import {
  actOnPage,
  type ConsoleVisitor,
  enrolled,
  hiddenFieldsIn,
  keyOfOwnSession,
  OPERATOR_PASSWORD,
} from "../../../../tests/fixtures/console"
import { respond } from "../../../../tests/fixtures/shop-router"
import { openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"

const PATH = "/admin/operators"
let shop: TestShop
let owner: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop()
  owner = await enrolled(shop, "owner")
})
afterEach(() => shop.billing.close())

const page = async (who: ConsoleVisitor, path = PATH) => (await who.request({ path })).text()
const pathOf = async (email: string) => {
  const operator = await shop.billing.operators.find(email)
  return `${PATH}/${operator?.id}`
}
const linkIn = (text: string) => /class="mono">([^<]+)</.exec(text)?.[1] ?? ""
const opens = async (link: string) => {
  const { pathname, search } = new URL(link)
  return (await respond(shop.services, { path: `${pathname.replace("/checkout", "")}${search}` })).status
}
const newest = async () => (await shop.billing.auditLog.newest({ limit: 1 }))[0]

async function addBy(who: ConsoleVisitor, changes: Record<string, string> = {}) {
  const key = await keyOfOwnSession(who)
  const form = { key, email: "jonas@shop.test", role: "support", reason: "new colleague", ...changes }
  return who.request({ path: PATH, form })
}

describe("adding an operator", () => {
  test("shows a one-time link once, by which they set up their access", async () => {
    const answer = await addBy(owner)
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "private, no-store"])
    const link = linkIn(await answer.text())
    expect(await opens(link)).toBe(200)
    const listed = await page(owner)
    expect(listed).toContain("jonas@shop.test")
    expect(listed).toContain("Link not used yet")
    expect(listed).not.toContain("set-up?token=")
    expect(await newest()).toMatchObject({
      action: "add-operator",
      operator: owner.email,
      reason: "new colleague",
      outcome: "done",
      after: JSON.stringify({ email: "jonas@shop.test", role: "support" }),
    })
  })

  test.each([
    ["an invalid email", { email: "jonas" }, "Type a valid email address."],
    ["no role", { role: "admin" }, "Choose a role."],
    ["no reason", { reason: " " }, "Say why: it is in the audit log."],
    ["the email of another operator", { email: "OWNER@shop.test" }, "There is an operator with this email."],
  ])("with %s is refused, and keeps what was typed", async (_, changes, message) => {
    const answer = await addBy(owner, changes)
    const text = await answer.text()
    expect(answer.status).toBe(422)
    expect(text).toContain(message)
    const typed = { email: "jonas@shop.test", ...changes }.email
    expect(/<input[^>]* name="email"[^>]*>/.exec(text)?.[0]).toContain(`value="${typed}"`)
    expect(await shop.billing.operators.list()).toHaveLength(1)
  })

  test("by a form that is sent twice adds one operator, and shows no second link", async () => {
    const key = await keyOfOwnSession(owner)
    await addBy(owner, { key })
    const again = await addBy(owner, { key, email: "paula@shop.test" })
    expect(linkIn(await again.text())).toBe("")
    expect(await shop.billing.operators.find("paula@shop.test")).toBeNull()
  })

  test("asks for password and code once the last ones are 10 minutes old", async () => {
    shop.wait(11 * MINUTE)
    const answer = await addBy(owner)
    expect([answer.status, await answer.text()]).toEqual([
      422,
      expect.stringContaining("Type your password and a code."),
    ])
    const proof = { password: OPERATOR_PASSWORD, code: owner.nextCode() }
    expect((await addBy(owner, proof)).status).toBe(200)
  })

  test.each(["support", "viewer"] as const)("is refused to %s, and offered neither", async (role) => {
    const who = await enrolled(shop, role)
    expect(await page(who)).not.toContain("Add an operator")
    const answer = await addBy(who)
    expect([answer.status, await answer.text()]).toEqual([
      422,
      expect.stringContaining("Your role may not do this."),
    ])
    expect(await shop.billing.operators.find("jonas@shop.test")).toBeNull()
    expect(await newest()).toMatchObject({ action: "add-operator", operator: who.email, outcome: "failed" })
  })
})

describe("an operator's page", () => {
  let jonas: ConsoleVisitor
  let path: string
  beforeEach(async () => {
    jonas = await enrolled(shop, "support", "jonas@shop.test")
    path = await pathOf(jonas.email)
  })
  const act = (action: string, changes: Record<string, string> = {}) =>
    actOnPage(owner, path, { form: { action, reason: "lost the phone", ...changes } })
  const isIn = async () => (await jonas.request({ path: "/admin" })).status === 200

  test("gives a new one-time link, after which password, codes and sessions no longer work", async () => {
    const link = linkIn(await (await act("reset-operator")).text())
    expect([await opens(link), await isIn()]).toEqual([200, false])
    expect((await jonas.signIn({ code: jonas.nextCode() })).status).toBe(422)
    const entries = await shop.billing.auditLog.newest({ limit: 5 })
    expect(entries.find(({ action }) => action === "reset-operator")).toMatchObject({
      outcome: "done",
      reason: "lost the phone",
      operator: owner.email,
    })
  })

  test("ends the sessions, and the operator signs in again", async () => {
    expect(await page(owner, path)).toContain("1 open session")
    expect((await act("end-operator-sessions")).headers.get("location")).toContain("?done")
    expect(await isIn()).toBe(false)
    expect(await page(owner, path)).toContain("No open session.")
    expect((await jonas.signIn({ code: jonas.nextCode() })).status).toBe(303)
    expect(await newest()).toMatchObject({ action: "sign-in" })
  })

  test("disables the operator until a new link, which enables again", async () => {
    await act("disable-operator")
    expect(await isIn()).toBe(false)
    expect((await jonas.signIn({ code: jonas.nextCode() })).status).toBe(422)
    expect(await page(owner)).toContain("Disabled")
    expect(hiddenFieldsIn(await page(owner, path), "disable-operator")).toEqual({})
    expect(await opens(linkIn(await (await act("reset-operator")).text()))).toBe(200)
  })

  test("of two owners who disable each other at the same moment one remains", async () => {
    const ines = await enrolled(shop, "owner", "ines@shop.test")
    const forms = await Promise.all(
      [
        { who: owner, of: ines },
        { who: ines, of: owner },
      ].map(async ({ who, of }) => {
        const path = await pathOf(of.email)
        const fields = hiddenFieldsIn(await page(who, path), "disable-operator")
        return { who, path, form: { ...fields, action: "disable-operator", reason: "a quarrel" } }
      }),
    )
    const answers = await Promise.all(forms.map(({ who, ...visit }) => who.request(visit)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 422])
    const remaining = (await shop.billing.operators.list()).filter(
      ({ role, disabledAt }) => role === "owner" && disabledAt === null,
    )
    expect(remaining).toHaveLength(1)
  })

  test("refuses a form of a state that has changed meanwhile, and says so", async () => {
    const { seen = "" } = hiddenFieldsIn(await page(owner, path), "disable-operator")
    await act("end-operator-sessions")
    const answer = await act("disable-operator", { seen })
    expect([answer.status, await answer.text()]).toEqual([
      422,
      expect.stringContaining("The account has changed meanwhile."),
    ])
    expect(await shop.billing.operators.find(jonas.email)).toMatchObject({ disabledAt: null })
  })

  test("needs a reason", async () => {
    const answer = await act("disable-operator", { reason: "" })
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining("Say why")])
  })

  test("offers nothing for the own account, so that no owner is shut out, and refuses it", async () => {
    const own = await pathOf(owner.email)
    const text = await page(owner, own)
    expect(text).toContain("This is you")
    for (const action of accountActions) {
      expect(hiddenFieldsIn(text, action)).toEqual({})
      const seen = " true true"
      const form = { action, key: await keyOfOwnSession(owner), seen, reason: "asked" }
      expect((await owner.request({ path: own, form })).status).toBe(422)
    }
    expect((await owner.request({ path: "/admin" })).status).toBe(200)
  })

  test.each(["support", "viewer"] as const)("lets %s do nothing, and records the try", async (role) => {
    const who = await enrolled(shop, role)
    for (const action of accountActions) {
      const { seen = "" } = hiddenFieldsIn(await page(owner, path), action)
      const form = { action, key: await keyOfOwnSession(who), seen, reason: "asked" }
      expect(await (await who.request({ path, form })).text()).toContain("Your role may not do this.")
      expect(await newest()).toMatchObject({ action, operator: who.email, outcome: "failed" })
    }
    expect(await isIn()).toBe(true)
  })

  test("is not found for an unknown id, and a form of another page changes nothing", async () => {
    expect((await owner.request({ path: `${PATH}/unknown` })).status).toBe(404)
    const form = { action: "refund-order", key: await keyOfOwnSession(owner), reason: "x" }
    expect((await owner.request({ path: `${PATH}/unknown`, form })).status).toBe(303)
    const known = { ...form, action: "disable-operator" }
    expect((await owner.request({ path: `${PATH}/unknown`, form: known })).status).toBe(404)
  })

  test("a link that is a day old no longer works", async () => {
    const link = linkIn(await (await act("reset-operator")).text())
    shop.wait(24 * HOUR + 1)
    expect(await opens(link)).toBe(410)
  })
})
