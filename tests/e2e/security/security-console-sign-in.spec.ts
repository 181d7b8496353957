import { expect } from "playwright/test"
import { limits } from "~/security/rate-limits.server"
import { type OperatorBrowser, operatorBrowser, runAdmin } from "../../fixtures/signed-in-operator"
import { uniqueEmail } from "../../fixtures/unique-email"
import { findViolation, tally } from "../../support/attacks/attack-inputs"
import { Browser } from "../../support/browser/no-script-browser"
import { readHtml, textOf } from "../../support/html/html-tree"
import { type RawResponse, rawRequest } from "../../support/http/raw-request"
import { attackTest } from "../attack-test"
import { underAttack } from "../shop-settings"
import { test } from "../shop-test"
import { startShop, type TestServer } from "../start-shop"
import { deep } from "../tags"

const STEP = 30_000

let shop: TestServer
test.beforeAll(async () => {
  shop = await startShop({ env: underAttack })
})
test.afterAll(() => shop.stop())

/** Client addresses used so far. Every test uses new ones. */
let addresses = 0
const newAddress = () => `93.184.217.${++addresses}`
const from = (address: string) => ({ "x-forwarded-for": address })

type Typed = { readonly email: string; readonly password: string; readonly code: string }

function signIn(typed: Typed, headers: Record<string, string>): Promise<RawResponse> {
  return rawRequest(shop.url, "/checkout/admin/sign-in", {
    method: "POST",
    body: new URLSearchParams(typed).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded", origin: shop.url, ...headers },
  })
}

const sessionIn = ({ headers }: RawResponse) =>
  /^console=([^;]+)/.exec(headers["set-cookie"]?.find((it) => it.startsWith("console=")) ?? "")?.[1] ?? null

const opens = async (cookie: string) =>
  (await rawRequest(shop.url, "/checkout/admin/account", { headers: { cookie } })).status === 200

test("a cookie that was planted before the sign-in never becomes a session", async () => {
  const marta = await operatorBrowser(shop, "owner", from(newAddress()))
  const jonas = await operatorBrowser(shop, "owner", from(newAddress()))
  const planted = ["A".repeat(43), jonas.cookie().replace("console=", ""), "", "__proto__"]
  for (const [at, value] of planted.entries()) {
    const { email, password, recoveryCodes } = marta
    const cookie = `console=${value}; console=${"B".repeat(43)}`
    const code = recoveryCodes[at] ?? ""
    const response = await signIn({ email, password, code }, { cookie, ...from(newAddress()) })
    const session = sessionIn(response)
    expect([response.status, session?.length]).toEqual([303, 43])
    expect(planted).not.toContain(session)
    expect(await opens(`console=${"B".repeat(43)}`)).toBe(false)
    expect(await opens(`console=${session}`)).toBe(true)
  }
  // The session of the other operator is still that operator's.
  expect((await jonas.visit("/account")).text).toContain(jonas.email)
})

test("no old cookie opens the console after a factor has changed, a sign-out, a reset or a disabling", async () => {
  const marta = await operatorBrowser(shop, "owner", from(newAddress()))
  const others = async (at: number) => {
    const { email, password, recoveryCodes } = marta
    return `console=${sessionIn(await signIn({ email, password, code: recoveryCodes[at] ?? "" }, from(newAddress())))}`
  }
  const beforePassword = await others(0)
  expect(await opens(beforePassword)).toBe(true)
  const changed = "eleven blue herons flying"
  await (await marta.visit("/account")).submit({
    having: "newPassword",
    fields: { newPassword: changed, confirmPassword: changed },
  })
  expect([await opens(beforePassword), await opens(marta.cookie())]).toEqual([false, true])

  const { email } = marta
  const beforeCodes = await signIn(
    { email, password: changed, code: marta.recoveryCodes[1] ?? "" },
    from(newAddress()),
  )
  await (await marta.visit("/account")).submit({ button: { text: "Make new recovery codes" } })
  expect([await opens(`console=${sessionIn(beforeCodes)}`), await opens(marta.cookie())]).toEqual([
    false,
    true,
  ])

  const beforeSignOut = marta.cookie()
  await (await marta.visit("")).submit({ button: { text: "Sign out" } })
  expect(await opens(beforeSignOut)).toBe(false)

  for (const command of ["reset", "disable"]) {
    const jonas = await operatorBrowser(shop, "support", from(newAddress()))
    expect(await opens(jonas.cookie())).toBe(true)
    await runAdmin(shop, "operators", command, jonas.email)
    expect([command, await opens(jonas.cookie())]).toEqual([command, false])
  }
})

/** Numbers that a guesser of codes would try, and texts that could confuse their check. */
const guesses = [
  ...Array.from({ length: 30 }, (_, at) => String(at * 31_337).padStart(6, "0")),
  "０００００１",
  "1e5",
  "-00001",
  "000 000",
  "ABCD-EFGH-JKLM-NPQR",
  "----",
  "%",
  "_".repeat(16),
  "' OR '1'='1",
]

async function openedBy(who: OperatorBrowser, code: string, address: string) {
  const { email, password } = who
  const response = await signIn({ email, password, code }, from(address))
  const opensSession = sessionIn(response) === null ? null : "opens a session"
  return { status: response.status, wrong: findViolation(response) ?? opensSession }
}

attackTest("codes guessed from one address open no session and are limited", async (pick) => {
  const { count, conclude } = tally("codes guessed from one address")
  const marta = await operatorBrowser(shop, "owner", from(newAddress()))
  const address = newAddress()
  const statuses: number[] = []
  for (const code of pick(guesses, 30)) {
    const { status, wrong } = await openedBy(marta, code, address)
    count(code, wrong)
    statuses.push(status)
  }
  expect(statuses.filter((it) => it === 422)).toHaveLength(limits.operatorSignInsOfEmail)
  conclude()
})

attackTest("codes guessed from many addresses open no session and are limited", async (pick) => {
  // Each guess that is not refused costs a hash of the password, a fifth of a second of a free core, one after the other.
  test.setTimeout(400_000)
  const { count, conclude } = tally("codes guessed from many addresses")
  const marta = await operatorBrowser(shop, "owner", from(newAddress()))
  // At the same moment, which a limit that is checked before it is counted would let through.
  const statuses = await Promise.all(
    pick(guesses, 30).map(async (code) => {
      const { status, wrong } = await openedBy(marta, code, newAddress())
      count(code, wrong)
      return status
    }),
  )
  expect(statuses.filter((it) => it === 422)).toHaveLength(limits.operatorSignInsOfEmailAnywhere)
  // A right code from an address without tries of its own is not told from a wrong one.
  const { email, password } = marta
  expect((await signIn({ email, password, code: marta.code(STEP) }, from(newAddress()))).status).toBe(429)
  conclude()
})

test("guesses at the sign-in are limited, and do not lock an open session out", async () => {
  const address = newAddress()
  const marta = await operatorBrowser(shop, "owner", from(address))
  for (let tries = 0; tries < limits.operatorSignInsOfEmail; tries++)
    await signIn({ email: marta.email, password: marta.password, code: "000000" }, from(address))
  const limited = await signIn(
    { email: marta.email, password: marta.password, code: marta.code(STEP) },
    from(address),
  )
  expect([limited.status, Number(limited.headers["retry-after"]) > 0]).toEqual([429, true])
  // A session that is open is not locked out by guesses of others.
  expect(await opens(marta.cookie())).toBe(true)
})

test("no answer tells which emails are operators, and what of a sign-in was wrong", deep, async () => {
  const marta = await operatorBrowser(shop, "owner", from(newAddress()))
  const gone = await operatorBrowser(shop, "support", from(newAddress()))
  await runAdmin(shop, "operators", "disable", gone.email)
  const invited = uniqueEmail()
  await runAdmin(shop, "operators", "add", invited, "--role", "viewer")
  const attempts: readonly Typed[] = [
    { email: uniqueEmail(), password: marta.password, code: "000000" },
    { email: marta.email, password: "wrong password", code: marta.code(STEP) },
    { email: marta.email, password: marta.password, code: "000000" },
    { email: marta.email, password: marta.password, code: "" },
    { email: marta.email, password: marta.password, code: gone.recoveryCodes[0] ?? "" },
    { email: gone.email, password: gone.password, code: gone.recoveryCodes[1] ?? "" },
    { email: invited, password: marta.password, code: "000000" },
  ]
  const told = new Set<string>()
  for (const typed of attempts) {
    const { status, body, headers } = await signIn(typed, from(newAddress()))
    const names = Object.keys(headers).toSorted().join()
    told.add(`${status} ${textOf(readHtml(body)).replaceAll(typed.email, "E-MAIL")} ${names}`)
  }
  expect([...told]).toEqual([expect.stringMatching(/^422 .*Email, password or code is wrong/)])
  for (const typed of attempts.slice(0, 2)) {
    const address = newAddress()
    const statuses: number[] = []
    for (let tries = 0; tries <= limits.operatorSignInsOfEmail; tries++)
      statuses.push((await signIn(typed, from(address))).status)
    expect(statuses).toEqual([...statuses.slice(1).map(() => 422), 429])
  }
})

attackTest("guessed one-time links open nothing", async (pick) => {
  const { count, conclude } = tally("guessed one-time links")
  const link = new URL(
    /https?:\S+/.exec(await runAdmin(shop, "operators", "add", uniqueEmail(), "--role", "owner"))?.[0] ?? "",
  )
  const token = link.searchParams.get("token") ?? ""
  const flipped = Array.from(
    { length: token.length },
    (_, at) => `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`,
  )
  const tokens = [
    ...flipped,
    "",
    token.slice(0, -1),
    `${token}A`,
    token.toUpperCase(),
    "__proto__",
    "%",
    `${token}\0x`,
  ]
  for (const typed of pick(tokens)) {
    const page = await new Browser().visit(
      `${shop.url}/checkout/admin/set-up?token=${encodeURIComponent(typed)}`,
    )
    const wrong = page.status === 410 ? null : `status ${page.status}`
    count(typed, findViolation(page) ?? wrong)
  }
  expect((await new Browser().visit(link)).status).toBe(200)
  conclude()
})
