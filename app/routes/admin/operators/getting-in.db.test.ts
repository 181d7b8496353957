import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { DAY, HOUR, MINUTE } from "~/domain/calendar"
import { byAdminCli } from "../../../../tests/contracts/billing/billing-fixtures"
import {
  type ConsoleVisitor,
  enrolled,
  formKeyIn,
  invited,
  OPERATOR_PASSWORD,
  STEP,
  tokenOf,
} from "../../../../tests/fixtures/console"
import { respond, type Visit } from "../../../../tests/fixtures/shop-router"
import { openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

const paths = [
  "/admin",
  "/admin/sign-in",
  "/admin/set-up?token=x",
  "/admin/account",
  "/admin/audit",
  "/admin/no",
]
const guarded = ["/admin", "/admin/account", "/admin/audit"]

async function auditActions() {
  const entries = await shop.billing.auditLog.page({ after: 0, limit: 100 })
  return entries.map(({ action, outcome }) => `${action} ${outcome}`)
}

describe("the console", () => {
  test.each(paths)("%s is 404 until an operator exists", async (path) => {
    expect((await respond(shop.services, { path })).status).toBe(404)
    expect((await respond(shop.services, { path, form: { a: "b" } })).status).toBe(404)
    await invited(shop, "owner")
    const { status } = await respond(shop.services, { path })
    expect(status).toBe({ "/admin/sign-in": 200, "/admin/set-up?token=x": 410 }[path] ?? 303)
  })

  test("is 404 without OPERATOR_SECRETS, and from an address that ADMIN_ALLOW does not name", async () => {
    const marta = await enrolled(shop, "owner")
    const { console } = shop.services
    for (const other of [null, console && { ...console, isAllowed: () => false }]) {
      const services = { ...shop.services, console: other }
      const headers = { cookie: `console=${marta.token}` }
      expect((await respond(services, { path: "/admin/account", headers })).status).toBe(404)
      expect((await respond(services, { path: "/admin/sign-in" })).status).toBe(404)
    }
  })

  test.each(guarded)(
    "%s leads to the sign-in without a session, with one that was forged, or one that ended",
    async (path) => {
      const marta = await enrolled(shop, "owner")
      const jonas = await enrolled(shop, "support")
      const to = path === "/admin" ? "" : `?to=${encodeURIComponent(path)}`
      const signIn = `/checkout/admin/sign-in${to}`
      for (const cookie of ["", "console=", "console=forged", `checkout=${marta.token}`]) {
        const response = await respond(shop.services, { path, headers: { cookie } })
        expect([response.status, response.headers.get("location")]).toEqual([303, signIn])
      }
      await jonas.request({ path: "/admin/sign-out", form: {} })
      expect((await jonas.request({ path })).headers.get("location")).toBe(signIn)
      const again = await jonas.request({ path: "/admin/sign-out", form: {} })
      expect(again.headers.get("location")).toBe("/checkout/admin/sign-in")
      expect((await marta.request({ path: "/admin/account" })).status).toBe(200)
    },
  )

  test("ends a session that nobody uses, though its page goes on updating itself", async () => {
    const marta = await enrolled(shop, "owner")
    const updated = { path: "/admin", headers: { "x-live-update": "1" } }
    for (let minutes = 0; minutes < 60; minutes += 10) {
      expect((await marta.request(updated)).status).toBe(200)
      shop.wait(10 * MINUTE)
    }
    expect((await marta.request(updated)).status).toBe(303)
  })

  test("says to who has lost the phone that another owner can help, without the command line", async () => {
    await enrolled(shop, "owner")
    const page = await (await respond(shop.services, { path: "/admin/sign-in" })).text()
    expect(page).toContain("Another owner, or the person who runs the server, can give you a new link.")
  })

  test("says that a form was not done which is sent when the session has ended, and not of a page that is opened", async () => {
    const jonas = await enrolled(shop, "support")
    await jonas.request({ path: "/admin/sign-out", form: {} })
    const signInAfter = async (visit: Visit) => {
      const to = (await jonas.request(visit)).headers.get("location")?.replace("/checkout", "") ?? ""
      return { to, page: await (await respond(shop.services, { path: to })).text() }
    }
    const opened = await signInAfter({ path: "/admin/account" })
    expect((await signInAfter({ path: "/admin/account", method: "HEAD" })).to).toBe(opened.to)
    const sent = await signInAfter({ path: "/admin/account", form: { action: "end-session" } })
    const unsent = "what you have just sent was not done"
    expect([opened.page.includes(unsent), sent.page.includes(unsent)]).toEqual([false, true])
    const form = { email: jonas.email, password: OPERATOR_PASSWORD, code: jonas.nextCode() }
    const back = await respond(shop.services, { path: sent.to, form })
    expect(back.headers.get("location")).toBe("/checkout/admin/account")
  })

  test("its pages have no script but the console's own file, and none before the sign-in, are kept in no cache and are not indexed", async () => {
    const marta = await enrolled(shop, "owner")
    for (const path of ["/admin/sign-in", "/admin/account", "/admin/audit"]) {
      const response = await marta.request({ path })
      const page = await response.text()
      const scripts = page.match(/<script[^>]*>/gi) ?? []
      expect(scripts).toEqual(
        path === "/admin/sign-in"
          ? []
          : [expect.stringMatching(/^<script type="module" src="\/checkout\/[\w/.-]+" nonce="[^"]+">$/)],
      )
      expect(page).not.toMatch(/javascript:|\son\w+=/i)
      expect(page).toContain('name="robots" content="noindex"')
      expect(response.headers.get("cache-control")).toBe("private, no-store")
    }
  })

  test("answers other methods with 405, and requests from other sites with 403", async () => {
    const marta = await enrolled(shop, "owner")
    expect((await marta.request({ path: "/admin/account", method: "DELETE" })).status).toBe(405)
    const response = await marta.request({ path: "/admin/sign-out", form: {}, rejection: "forbidden-origin" })
    expect(response.status).toBe(403)
    expect((await marta.request({ path: "/admin/account" })).status).toBe(200)
  })
})

describe("the one-time link", () => {
  const setUp = (token: string, form: Record<string, string>) =>
    respond(shop.services, { path: "/admin/set-up", form: { token, ...form } })
  const typed = { password: OPERATOR_PASSWORD, confirmPassword: OPERATOR_PASSWORD, code: "000000" }

  test("sets password and codes once, and signs in", async () => {
    const marta = await enrolled(shop, "owner")
    expect(marta.recoveryCodes).toHaveLength(10)
    expect((await marta.request({ path: "/admin/account" })).status).toBe(200)
    expect(await auditActions()).toEqual(["sign-in done"])
  })

  test.each([
    ["a short password", { password: "short", confirmPassword: "short" }, "at least 10 characters"],
    ["two passwords", { confirmPassword: "something else" }, "not the same"],
    ["a guessable password", { password: "password123", confirmPassword: "password123" }, "easy to guess"],
    ["a wrong code", {}, "code is wrong"],
  ])("refuses %s, and works afterwards", async (_, changes, message) => {
    const token = await invited(shop, "owner")
    const response = await setUp(token, { ...typed, ...changes })
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining(message)])
    expect(tokenOf(response)).toBeNull()
    expect((await respond(shop.services, { path: `/admin/set-up?token=${token}` })).status).toBe(200)
  })

  test("does not work after a day, or for an unknown token", async () => {
    const token = await invited(shop, "owner")
    expect((await setUp("unknown", typed)).status).toBe(410)
    shop.wait(DAY)
    expect((await respond(shop.services, { path: `/admin/set-up?token=${token}` })).status).toBe(410)
  })
})

describe("the sign-in", () => {
  test("takes password and code, in a cookie for the console alone", async () => {
    const marta = await enrolled(shop, "owner")
    const response = await marta.signIn({ code: marta.nextCode() })
    expect([response.status, response.headers.get("location")]).toEqual([303, "/checkout/admin"])
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^console=[\w-]{43}; Max-Age=43200; Path=\/checkout\/admin; HttpOnly; Secure; SameSite=Strict$/,
      ),
      expect.stringMatching(
        /^console-device=[\w.-]+; Max-Age=15552000; Path=\/checkout\/admin; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ])
  })

  test("leads back to the page that asked for it, without what was searched for there", async () => {
    const marta = await enrolled(shop, "owner")
    const asked = await respond(shop.services, { path: "/admin/customers?q=ana%40example.test" })
    const path = asked.headers.get("location")?.replace("/checkout", "") ?? ""
    expect(path).toBe("/admin/sign-in?to=%2Fadmin%2Fcustomers")
    const form = { email: marta.email, password: OPERATOR_PASSWORD, code: "000000" }
    expect((await respond(shop.services, { path, form })).status).toBe(422)
    const signedIn = await respond(shop.services, { path, form: { ...form, code: marta.nextCode() } })
    expect(signedIn.headers.get("location")).toBe("/checkout/admin/customers")
  })

  test.each([
    "https://evil.test/admin/x",
    "//evil.test/admin/x",
    "/admin//evil?x",
    "/success",
    "/admin/x\\y",
    "",
  ])("leads to the overview and not to %j", async (to) => {
    const marta = await enrolled(shop, "owner")
    const path = `/admin/sign-in?${new URLSearchParams({ to })}`
    const form = { email: marta.email, password: OPERATOR_PASSWORD, code: marta.nextCode() }
    const signedIn = await respond(shop.services, { path, form })
    expect(signedIn.headers.get("location")).toBe("/checkout/admin")
  })

  test.each<[string, Record<string, string>]>([
    ["a wrong password", { password: "another password" }],
    ["a wrong code", { code: "000000" }],
    ["no code", { code: "" }],
    ["an unknown e-mail", { email: "nobody@shop.test" }],
    ["an unknown recovery code", { code: "ABCD-EFGH-JKLM-NPQR" }],
  ])("refuses %s with the same answer", async (_, changes) => {
    const marta = await enrolled(shop, "owner")
    const response = await marta.signIn({ code: marta.nextCode(), ...changes })
    const page = await response.text()
    expect([response.status, tokenOf(response)]).toEqual([422, null])
    expect(page).toContain("Email, password or code is wrong.")
    expect(page).not.toContain(OPERATOR_PASSWORD)
  })

  test("takes the code of the phone's time while the clock of the sandbox is ahead", async () => {
    shop.wait(3 * DAY)
    Object.assign(shop.services, { clockAhead: () => 3 * DAY })
    const marta = await enrolled(shop, "owner")
    expect(marta.token).not.toBeNull()
    expect((await marta.signIn({ code: marta.nextCode() })).status).toBe(303)
  })

  test("leads who has used a recovery code to the codes that are left, whatever page had asked for the sign-in", async () => {
    const marta = await enrolled(shop, "owner")
    const [recovery = ""] = marta.recoveryCodes
    const path = "/admin/sign-in?to=/admin/orders"
    const signedIn = await marta.signIn({ code: recovery }, { path })
    expect(signedIn.headers.get("location")).toBe("/checkout/admin/account?done=recovery")
    marta.token = tokenOf(signedIn)
    const page = await (await marta.request({ path: "/admin/account?done=recovery" })).text()
    expect(page).toContain("You’ve signed in with a recovery code")
    expect(page).toContain("9 recovery codes are left.")
    const byApp = await marta.signIn({ code: marta.nextCode() }, { path })
    expect(byApp.headers.get("location")).toBe("/checkout/admin/orders")
  })

  test("accepts each code once, also of the next step, and each recovery code once", async () => {
    const marta = await enrolled(shop, "owner")
    const code = marta.nextCode()
    expect((await marta.signIn({ code })).status).toBe(303)
    expect((await marta.signIn({ code })).status).toBe(422)
    const [recovery = ""] = marta.recoveryCodes
    expect((await marta.signIn({ code: recovery.toLowerCase() })).status).toBe(303)
    expect((await marta.signIn({ code: recovery })).status).toBe(422)
    const account = await (await marta.request({ path: "/admin/account" })).text()
    expect(account).toContain("9 recovery codes are left.")
  })

  test("begins a session of its own, whatever cookie the browser sent (session fixation)", async () => {
    const marta = await enrolled(shop, "owner")
    const planted = "A".repeat(43)
    const response = await marta.signIn(
      { code: marta.nextCode() },
      { headers: { cookie: `console=${planted}` } },
    )
    const token = tokenOf(response)
    expect(token).not.toBe(planted)
    expect(token).not.toBe(marta.token)
    const headers = { cookie: `console=${planted}` }
    expect((await respond(shop.services, { path: "/admin/account", headers })).status).toBe(303)
  })

  test("limits tries of password and code, also right ones, until 15 minutes have passed", async () => {
    const marta = await enrolled(shop, "owner")
    for (let tries = 0; tries < 20; tries++) expect((await marta.signIn({ code: "000000" })).status).toBe(422)
    const limited = await marta.signIn({ code: marta.nextCode() })
    expect([limited.status, Number(limited.headers.get("retry-after"))]).toEqual([429, expect.any(Number)])
    expect(await limited.text()).toContain("Too many tries.")
    expect((await marta.request({ path: "/admin/account" })).status).toBe(200)
    expect((await auditActions()).filter((it) => it === "sign-in failed")).toHaveLength(20)
  })

  /** The cookie by which a browser is known in which an operator has signed in. */
  const deviceOf = (response: Response) =>
    response.headers
      .getSetCookie()
      .find((it) => it.startsWith("console-device="))
      ?.split(";")[0] ?? ""

  test("strangers who guess lock nobody out of a browser in which the operator has signed in before", async () => {
    const marta = await enrolled(shop, "owner")
    const jonas = await enrolled(shop, "owner", "jonas@shop.test")
    const cookie = deviceOf(await marta.signIn({ code: marta.nextCode() }))
    const from = (known: string) => ({ headers: { cookie: known } })
    for (let tries = 0; tries < 20; tries++) await marta.signIn({ code: "000000" })
    expect((await marta.signIn({ code: marta.nextCode() })).status).toBe(429)

    const again = await marta.signIn({ code: marta.nextCode() }, from(cookie))
    expect([again.status, deviceOf(again)]).toEqual([
      303,
      expect.stringContaining(cookie.split(".")[0] ?? ""),
    ])
    for (const forged of [
      cookie.replace(/.$/, (it) => (it === "A" ? "Q" : "A")),
      "console-device=a.9999999999999.",
    ])
      expect((await marta.signIn({ code: marta.nextCode() }, from(forged))).status).toBe(429)
    // It is not that of another operator, and it opens nothing.
    for (let tries = 0; tries < 20; tries++) await jonas.signIn({ code: "000000" })
    expect((await jonas.signIn({ code: jonas.nextCode() }, from(cookie))).status).toBe(429)
    expect((await respond(shop.services, { path: "/admin/account", ...from(cookie) })).status).toBe(303)
  })

  test("a browser that is known has six tries of its own, and is known for 180 days", async () => {
    const marta = await enrolled(shop, "owner")
    const known = { headers: { cookie: deviceOf(await marta.signIn({ code: marta.nextCode() })) } }
    for (let tries = 0; tries < 6; tries++)
      expect((await marta.signIn({ code: "000000" }, known)).status).toBe(422)
    expect((await marta.signIn({ code: marta.nextCode() }, known)).status).toBe(429)
    expect((await marta.signIn({ code: marta.nextCode() })).status).toBe(303)

    shop.wait(180 * DAY)
    expect((await marta.signIn({ code: marta.nextCode() }, known)).status).toBe(303)
  })

  async function provenAgain(who: ConsoleVisitor, code: string) {
    const path = "/admin/account"
    const key = formKeyIn(await (await who.request({ path })).text(), "codes")
    return who.request({ path, form: { intent: "codes", key, password: OPERATOR_PASSWORD, code } })
  }

  test("does not lock who is signed in out of an action, however often strangers try their email", async () => {
    const marta = await enrolled(shop, "owner")
    for (let tries = 0; tries < 20; tries++) await marta.signIn({ code: "000000" })
    expect((await marta.signIn({ code: marta.nextCode() })).status).toBe(429)
    shop.wait(11 * MINUTE)
    expect((await provenAgain(marta, marta.nextCode())).status).toBe(200)
  })

  test("limits password and code given again in a session, of which a stranger may have the cookie", async () => {
    const marta = await enrolled(shop, "owner")
    shop.wait(11 * MINUTE)
    for (let tries = 0; tries < 20; tries++) expect((await provenAgain(marta, "000000")).status).toBe(422)
    expect(await (await provenAgain(marta, marta.nextCode())).text()).toContain("Too many tries.")
  })

  test("does not let a disabled operator in, and ends the sessions", async () => {
    const marta = await enrolled(shop, "owner")
    const operator = await shop.billing.operators.find(marta.email)
    await shop.billing.operators.disable(operator?.id ?? "", shop.services.now(), byAdminCli)
    expect((await marta.request({ path: "/admin/account" })).status).toBe(303)
    expect((await marta.signIn({ code: marta.nextCode() })).status).toBe(422)
  })

  test("the secret of the app survives another SESSION_SECRETS, which it is not encrypted with", async () => {
    const marta = await enrolled(shop, "owner")
    const { sessionSeal } = shop.services
    const operator = await shop.billing.operators.checkPassword(marta.email, OPERATOR_PASSWORD)
    expect(sessionSeal.open(operator?.totpSecret ?? "")).toBeNull()
    expect(operator?.totpSecret).not.toContain(marta.secret)
    expect(shop.services.console?.seal.open(operator?.totpSecret ?? "")).toBe(marta.secret)
  })
})

describe("a session of the console", () => {
  test.each([
    ["an hour without use", [HOUR], 303],
    ["just less than an hour without use", [HOUR - 1], 200],
    ["twelve hours of use", Array.from({ length: 24 }, () => 30 * MINUTE), 303],
  ])("after %s", async (_, waits, status) => {
    const marta = await enrolled(shop, "owner")
    let answer = 0
    for (const wait of waits) {
      shop.wait(wait)
      answer = (await marta.request({ path: "/admin/account" })).status
    }
    expect(answer).toBe(status)
  })

  test("is listed and ended alone, with the form of its own page only", async () => {
    const marta = await enrolled(shop, "owner")
    const other = tokenOf(
      await marta.signIn({ code: marta.nextCode() }, { headers: { "user-agent": "<b>Old" } }),
    )
    const page = await (await marta.request({ path: "/admin/account" })).text()
    expect(page).toContain("&lt;b&gt;Old")
    const session = /name="session" value="([^"]+)"/.exec(page)?.[1] ?? ""
    const end = (key: string) =>
      marta.request({ path: "/admin/account", form: { intent: "end", session, key } })
    const jonas = await enrolled(shop, "support")
    const jonasPage = await (await jonas.request({ path: "/admin/account" })).text()
    for (const key of ["", "x.y", formKeyIn(jonasPage, "password")]) expect((await end(key)).status).toBe(422)
    expect((await end(formKeyIn(page, "end"))).status).toBe(303)
    const headers = { cookie: `console=${other}` }
    expect((await respond(shop.services, { path: "/admin/account", headers })).status).toBe(303)
    expect((await marta.request({ path: "/admin/account" })).status).toBe(200)
  })

  test("changes a factor within 10 minutes after the sign-in, and later with password and code", async () => {
    const marta = await enrolled(shop, "owner")
    const other = tokenOf(await marta.signIn({ code: marta.nextCode() }))
    const change = async (form: Record<string, string> = {}) => {
      const page = await (await marta.request({ path: "/admin/account" })).text()
      const key = formKeyIn(page, "codes")
      return marta.request({ path: "/admin/account", form: { intent: "codes", key, ...form } })
    }
    const first = await change()
    expect([first.status, await first.text()]).toEqual([200, expect.stringContaining("Your recovery codes")])
    const headers = { cookie: `console=${other}` }
    expect((await respond(shop.services, { path: "/admin/account", headers })).status).toBe(303)
    shop.wait(10 * MINUTE)
    for (const [form, message] of [
      [{}, "Type your password and a code."],
      [{ password: OPERATOR_PASSWORD, code: "000000" }, "Password or code is wrong."],
      [{ password: "wrong password", code: marta.nextCode() }, "Password or code is wrong."],
    ] as const) {
      const response = await change(form)
      expect([response.status, await response.text()]).toEqual([422, expect.stringContaining(message)])
    }
    shop.wait(STEP)
    expect((await change({ password: OPERATOR_PASSWORD, code: marta.code() })).status).toBe(200)
    expect((await change()).status).toBe(200)
  })

  test("changes the password, judged as elsewhere", async () => {
    const marta = await enrolled(shop, "owner")
    const change = async (newPassword: string, confirmPassword = newPassword) => {
      const page = await (await marta.request({ path: "/admin/account" })).text()
      const form = { intent: "password", key: formKeyIn(page, "password"), newPassword, confirmPassword }
      return marta.request({ path: "/admin/account", form })
    }
    for (const weak of ["short", "password123", "x".repeat(201)])
      expect((await change(weak)).status).toBe(422)
    expect((await change("eleven blue herons", "eleven blue heron")).status).toBe(422)
    const done = await change("eleven blue herons flying")
    expect([done.status, done.headers.get("location")]).toEqual([
      303,
      "/checkout/admin/account?done=password",
    ])
    expect((await marta.signIn({ code: marta.nextCode() })).status).toBe(422)
    const password = "eleven blue herons flying"
    expect((await marta.signIn({ password, code: marta.nextCode() })).status).toBe(303)
  })

  test("a form acts once", async () => {
    const marta = await enrolled(shop, "owner")
    const page = await (await marta.request({ path: "/admin/account" })).text()
    const form = { intent: "codes", key: formKeyIn(page, "codes") }
    const [first, second] = await Promise.all(
      [1, 2].map(() => marta.request({ path: "/admin/account", form })),
    )
    const shown = await Promise.all(
      [first, second].map(async (it) => (await it?.text())?.includes("Your recovery codes")),
    )
    expect(shown.filter(Boolean)).toHaveLength(1)
    expect((await auditActions()).filter((it) => it === "new-recovery-codes done")).toHaveLength(1)
  })
})

test("the audit log lists what operators did, with masked e-mails for a viewer", async () => {
  await enrolled(shop, "owner")
  const viewer = await enrolled(shop, "viewer")
  const page = await (await viewer.request({ path: "/admin/audit" })).text()
  expect(page).toContain("o…@shop.test")
  expect(page).not.toContain("owner@shop.test")
  expect(page).toContain("sign-in")
})
