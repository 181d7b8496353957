import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect } from "playwright/test"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { becomeReseller } from "../../fixtures/reseller-purchase"
import { type OperatorBrowser, operatorBrowser, runAdmin } from "../../fixtures/signed-in-operator"
import { allWritten, unsentMails } from "../../fixtures/stored-data"
import { uniqueEmail } from "../../fixtures/unique-email"
import { storeUnmatchedPayment } from "../../fixtures/unmatched-payment"
import { everyOf, findViolation, leadsAway, tally } from "../../support/attacks/attack-inputs"
import {
  type ConsolePages,
  consolePatterns,
  isOfPattern,
  type PostedForm,
  postedForms,
  reachablePages,
} from "../../support/attacks/console-pages"
import { Browser } from "../../support/browser/no-script-browser"
import { type RawResponse, rawRequest } from "../../support/http/raw-request"
import { attackTest } from "../attack-test"
import { test } from "../shop-test"
import { startShop, type TestServer } from "../start-shop"

let shop: TestServer
let marta: OperatorBrowser
let jonas: OperatorBrowser
let pages: ConsolePages
test.beforeAll(async () => {
  // Eight commands, which start a process each, three passwords to hash, four orders, and every page of the console.
  test.setTimeout(400_000)
  shop = await startShop()
  // Before the orders, so that one has an invoice.
  await changeTax(shop)
  const reseller = { shop, email: uniqueEmail(), password: "correct horse battery staple" }
  const buy = async () =>
    waitForAccess(await payAt(await goToGateway(await chooseAndPay(new Browser(), { shop }))))
  const orderByAffiliate = async () => {
    const browser = new Browser()
    await browser.visit(`${shop.url}/checkout/?aff_id=12`)
    await goToGateway(await chooseAndPay(browser, { shop }))
  }
  // First, since a test takes the newest customers, who come first in the list, for buyers of plans.
  await becomeReseller(new Browser(), reseller)
  // One after the other: a shop that is too busy to rate a password refuses it.
  const setUpOperators = async () => {
    marta = await operatorBrowser(shop, "owner")
    jonas = await operatorBrowser(shop, "owner")
  }
  await Promise.all([setUpOperators(), buy(), buy(), orderByAffiliate()])
  await expect.poll(() => unsentMails(shop.dataDir), { timeout: 60_000 }).toBe(0)
  storeUnmatchedPayment(shop)
  await rawRequest(shop.url, "/checkout/api/payments/offshore/callback", { method: "POST", body: "{}" })
  await Promise.all([changeName(shop), changeBrand(shop), addPausedWebhook(shop)])
  const retry = await marta.visit("/bulk?list=orders&action=retry-job")
  const { url } = await retry.submit({ having: "shown", fields: { reason: "x" } })
  const shown = async () => (await marta.browser.visit(url.href)).text
  await expect.poll(shown, { timeout: 60_000 }).toContain("Ended")
  // Only the form of a list leads to what an action would do with all of its rows.
  const begin = await marta.visit("/bulk?list=orders&action=resend-mail")
  const product = await marta.visit("/catalogue/products/1")
  const preview = await product.submit({ button: { name: "preview" } })
  const ofLogo = await marta.visit("/brand/logo")
  const brandPreview = await ofLogo.submit({ button: { name: "preview" } })
  const draft = brandPreview.url.pathname.split("/").at(-1) ?? ""
  const reached = await reachablePages(marta.browser, shop.url)
  pages = new Map([
    ...reached,
    ["/checkout/admin/bulk?list=orders&action=resend-mail", begin],
    ["/checkout/admin/catalogue/preview", preview],
    [brandPreview.url.pathname, brandPreview],
    [`/checkout/admin/brand/logo/${draft}`, await marta.visit(`/brand/logo/${draft}`)],
  ])
})
test.afterAll(() => shop.stop())

/** Paused, so that nothing is noted about it while a test compares what is stored. */
async function addPausedWebhook(shop: TestServer): Promise<void> {
  const address = "http://127.0.0.1:9/"
  const added = await runAdmin(shop, "webhooks", "add", address, "--types", "gateway.down", "--json")
  await runAdmin(shop, "webhooks", "pause", JSON.parse(added).webhook)
}

/** Makes a version of the brand, with a logo. */
async function changeBrand(shop: TestServer): Promise<void> {
  const file = join(shop.dataDir, "brand.json")
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10"/>'
  const brand = { name: "Northlight", logo: { data: Buffer.from(svg).toString("base64") } }
  writeFileSync(file, JSON.stringify({ brand }))
  await runAdmin(shop, "brand", "set", file, "--reason", "a new name")
}

/** Makes a version of the catalogue. */
async function changeName(shop: TestServer): Promise<void> {
  const file = join(shop.dataDir, "catalogue.json")
  await runAdmin(shop, "catalogue", "export", file)
  const { plans, ...rest } = JSON.parse(readFileSync(file, "utf8"))
  const [first, ...others] = plans
  const changed = { ...rest, plans: [{ ...first, name: `${first.name} plus` }, ...others] }
  writeFileSync(file, JSON.stringify(changed))
  await runAdmin(shop, "catalogue", "import", file, "--reason", "a new name")
}

/** Makes a version of the rules of tax. */
async function changeTax(shop: TestServer): Promise<void> {
  const file = join(shop.dataDir, "tax.json")
  const registrations = [{ country: "DE", number: "DE123456789" }]
  writeFileSync(file, JSON.stringify({ country: "DE", registrations, confirmedOn: "2026-11-01" }))
  await runAdmin(shop, "tax", "set", file, "--reason", "a start")
  // The running shop reads each second what a command has changed.
  const checkout = async () => (await new Browser().visit(`${shop.url}/checkout/`)).text
  await expect.poll(checkout).toContain("VAT")
}

/** Written by requests that only read: when a session was used, and sums that are kept. */
const ofReading = ["operator_sessions", "purchase_steps", "hourly_sums"]
const written = () => allWritten(shop.dataDir, ofReading)

/** Addresses of the console that no link leads to: they answer a form, or need a link of their own. */
const withoutLink = [
  "/checkout/admin/sign-in",
  "/checkout/admin/set-up",
  "/checkout/admin/sign-out",
  "/checkout/admin/orders/export",
  "/checkout/admin/services/export",
  "/checkout/admin/customers/export",
  "/checkout/admin/customers/:id/export",
  "/checkout/admin/customers/:id/view",
]

test("the attacks of this file reach every address of the console", async () => {
  const unreached = (await consolePatterns()).filter(
    (pattern) => ![...pages.keys()].some((path) => isOfPattern(path, pattern)),
  )
  const posted = postedForms(pages).map(({ path }) => path)
  expect(unreached.toSorted()).toEqual(withoutLink.toSorted())
  for (const pattern of withoutLink.slice(2)) {
    expect([pattern, posted.some((path) => isOfPattern(path, pattern))]).toEqual([pattern, true])
  }
  expect([...pages].filter(([, { status }]) => status !== 200)).toEqual([])
})

const formType = { "content-type": "application/x-www-form-urlencoded" }

function post(
  { path, entries }: Pick<PostedForm, "path" | "entries">,
  headers: Record<string, string>,
): Promise<RawResponse> {
  const body = new URLSearchParams(entries).toString()
  return rawRequest(shop.url, path, { method: "POST", body, headers: { ...formType, ...headers } })
}

/** The forms before the sign-in, which need no session to be posted. */
const before: readonly PostedForm[] = [
  { path: "/checkout/admin/sign-in", name: "sign-in", entries: [["email", "a@b.test"]] },
  { path: "/checkout/admin/set-up", name: "set-up", entries: [["token", "x"]] },
]

attackTest("forms of the console that another site sends are refused and change nothing", async (pick) => {
  const { count, conclude } = tally("cross-site posts to the console")
  const forms = [...before, ...postedForms(pages)]
  const state = written()
  const senders: Record<string, string>[] = [
    "https://evil.test",
    "null",
    `${shop.url}.evil.test`,
    "http://127.0.0.1",
    "file://",
    shop.sandboxUrl,
  ].map((origin) => ({ origin }))
  for (const [form, sender] of pick(everyOf(forms, [...senders, { "sec-fetch-site": "cross-site" }]))) {
    const response = await post(form, { ...sender, cookie: marta.cookie() })
    const isRefused = response.status === 403 && !response.headers["set-cookie"]
    const wrong = isRefused ? null : `status ${response.status}`
    count(`${form.name} ${JSON.stringify(sender)}`, findViolation(response) ?? wrong)
  }
  expect(written()).toBe(state)
  conclude()
})

attackTest("forms with the key of another session, a guessed key or none change nothing", async (pick) => {
  const { count, conclude } = tally("forms with a foreign key")
  // A sign-out needs no key, and the checkout in a preview has a form that leads nowhere.
  const forms = postedForms(pages).filter(
    ({ path }) => !/\/(sign-out|preview|brand\/preview\/[^/]+)$/.test(path),
  )
  const state = written()
  const ownKey = forms[0]?.entries.find(([name]) => name === "key")?.[1] ?? ""
  const [id = "", signature = ""] = ownKey.split(".")
  const keys = ["", "x", "x.y", `${id}.`, `.${signature}`, `${id}x.${signature}`, `${id}.${signature}x`]
  const foreign = everyOf(forms, keys).map(([form, key]) => ({ form, key, cookie: marta.cookie() }))
  const stolen = forms.map((form) => ({ form, key: null, cookie: jonas.cookie() }))
  for (const { form, key, cookie } of pick([...foreign, ...stolen])) {
    const entries = form.entries.map(([name, value]): [string, string] => [
      name,
      name === "key" && key !== null ? key : value,
    ])
    const filled = [...entries.filter(([name]) => name !== "reason"), ["reason", "x"] as [string, string]]
    const response = await post({ ...form, entries: filled }, { origin: shop.url, cookie })
    const wrong = response.status === 422 ? null : `status ${response.status}`
    count(`${form.name} ${key ?? "stolen"}`, findViolation(response) ?? wrong)
  }
  expect(written()).toBe(state)
  conclude()
})

/** Forbidden caching, MIME sniffing or framing that a response allows; null if none. */
function laxness({ headers }: RawResponse): string | null {
  if (!String(headers["cache-control"]).includes("no-store")) return `caching: ${headers["cache-control"]}`
  if (headers["x-content-type-options"] !== "nosniff") return "allows MIME sniffing"
  const policy = String(headers["content-security-policy"])
  const isClosed = policy.includes("frame-ancestors 'none'") && headers["x-frame-options"] === "DENY"
  if (!isClosed) return "can be framed"
  return policy.includes("unsafe") || !policy.includes("default-src 'none'") ? `policy ${policy}` : null
}

attackTest("no page or file of the console can be framed, cached or sniffed", async (pick) => {
  const { count, conclude } = tally("responses of the console checked for framing")
  const paths = [...pages.keys(), ...before.map(({ path }) => path), "/checkout/admin/none"]
  const visitors: Record<string, string>[] = [
    {},
    { cookie: marta.cookie() },
    { cookie: "console=forged" },
    { cookie: marta.cookie(), origin: "https://evil.test" },
  ]
  for (const [path, headers, method] of pick(
    everyOf(paths, visitors, ["GET", "HEAD", "POST", "PUT", "OPTIONS"]),
  )) {
    const response = await rawRequest(shop.url, path, { method, headers })
    count(
      `${method} ${path} ${Object.keys(headers)}: ${response.status}`,
      findViolation(response) ?? laxness(response),
    )
  }
  conclude()
})

/** Ids that an attacker would type: none is one of this shop. */
const guessed = [
  "0",
  // Products and versions of the catalogue begin with 1.
  "999",
  "-1",
  "none",
  "NONE234567",
  "%00",
  "a%00b",
  "..%2f..%2faudit",
  "__proto__",
  "constructor",
  "%27OR%271%27=%271",
  "%25",
  "%E0%A4%A",
  "%F0%9F%92%A9",
  "*",
  "x%0d%0aset-cookie:%20planted=1",
  "x".repeat(3_000),
]

/** What is wrong with the response to a guessed id; null if nothing is there. */
function found(response: RawResponse): string | null {
  // 422: the form of something that is gone comes back as one of something new.
  const isNothing =
    [303, 400, 403, 404, 405, 422].includes(response.status) && !response.headers["set-cookie"]
  const led = findViolation(response) ?? leadsAway(response, shop)
  return led ?? (isNothing ? null : `status ${response.status}`)
}

attackTest("guessed ids in the console's addresses lead to nothing, and are never an error", async (pick) => {
  const { count, conclude } = tally("guessed ids in addresses of the console")
  const patterns = (await consolePatterns()).filter((it) => it.includes(":"))
  const state = written()
  const key = postedForms(pages)[0]?.entries.find(([name]) => name === "key")?.[1] ?? ""
  const entries = Object.entries({ key, action: "add-note", text: "mine now", reason: "x" })
  const headers = { cookie: marta.cookie(), origin: shop.url }
  for (const [pattern, id] of pick(everyOf(patterns, guessed))) {
    const path = pattern.replace(/:\w+/, id)
    count(`GET ${path}`, found(await rawRequest(shop.url, path, { headers })))
    count(`POST ${path}`, found(await post({ path, entries }, headers)))
  }
  expect(written()).toBe(state)
  conclude()
})

const pathsOf = (pattern: string) => [...pages.keys()].filter((it) => isOfPattern(it, pattern))
const below = (path: string) => path.replace("/checkout/admin", "")

test("an operator does not end a session of another one", async () => {
  const sessionsOf = (who: OperatorBrowser) => who.visit("/account").then((page) => page.field("session"))
  for (const { email, password, recoveryCodes } of [marta, jonas]) {
    const signIn = await new Browser().visit(`${shop.url}/checkout/admin/sign-in`)
    await signIn.submit({ fields: { email, password, code: recoveryCodes[0] ?? "" } })
  }
  const foreign = await sessionsOf(jonas)
  expect(foreign).not.toBe(await sessionsOf(marta))
  await (await marta.visit("/account")).submit({ having: "session", tamper: { session: foreign ?? "none" } })
  expect(await sessionsOf(jonas)).toBe(foreign)
})

test("a view of a customer's page is of one session and one customer", async () => {
  const isServed = (path: string) => pages.get(path)?.text.includes("Active")
  const [customer = "", other = ""] = pathsOf("/checkout/admin/customers/:id").filter(isServed)
  const page = await marta.visit(below(customer))
  const view = await page.submit({ button: { text: "View as the customer" }, fields: { reason: "asked" } })
  expect(view.text).toContain("You see the shop as")
  expect((await jonas.browser.visit(view.url)).status).toBe(403)
  expect((await marta.visit(`${below(other)}/view${view.url.search}`)).status).toBe(403)
})

test("a message of another order is not sent again from an order's page", async () => {
  const mailIn = (path: string) => /<option value="([^"]+)"/.exec(pages.get(path)?.body ?? "")?.[1]
  const [first = "", second = ""] = pathsOf("/checkout/admin/orders/:number").filter(mailIn)
  const refused = await (await marta.visit(below(first))).submit({
    having: "target",
    tamper: { reason: "asked", target: mailIn(second) ?? "none" },
  })
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("Nothing was changed")])
})
