import { expect } from "playwright/test"
import { chooseAndPay, goToGateway, payAt, waitForAccess } from "../../fixtures/no-script-purchase"
import { readStoredRows } from "../../fixtures/stored-data"
import {
  everyOf,
  failuresWithin10s,
  findViolation,
  screens,
  tally,
} from "../../support/attacks/attack-inputs"
import { payloads, running } from "../../support/attacks/injection-payloads"
import { Browser } from "../../support/browser/no-script-browser"
import { BROWSER_AGENT } from "../../support/browser/page-actions"
import type { HtmlPage } from "../../support/html/html-page"
import { type RawResponse, rawRequest } from "../../support/http/raw-request"
import { attackTest } from "../attack-test"
import { underAttack } from "../shop-settings"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop(underAttack)
})

test("the check finds markup that a browser would execute", () => {
  for (const page of [
    "<svg/onload=x>",
    "<script>x</script>",
    '<a href="javascript:x">',
    "<iframe srcdoc=x>",
  ]) {
    expect(running({ body: page })).not.toBeNull()
  }
})

attackTest(
  "HTML and SQL in fields, links, headers and paths are shown as text on every page",
  async (pick) => {
    const { count, conclude } = tally("texts in fields")
    const fields = ["email", "promoCode", "plan", "gateway", "coin", "key", "draft", "total", "notes", "mac"]
    const more = ["password", "newPassword", "confirmPassword", "quantity", "serviceid", "existing", "intent"]
    for (const [screen, field, payload] of pick(everyOf(screens, [...fields, ...more], payloads))) {
      const sent = {
        plan: "3",
        email: "ana@example.test",
        gateway: "offshore",
        intent: "pay",
        [field]: payload,
      }
      const response = await rawRequest(shop.url, screen, {
        method: "POST",
        body: new URLSearchParams(sent).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      })
      count(`${screen} ${field}=${payload}`, problemOf(response))
    }
    const links = [
      "email",
      "promocode",
      "serviceid",
      "pid",
      "resume",
      "signature",
      "existing",
      "quantity",
      "done",
    ]
    for (const [screen, name, payload] of pick(everyOf(screens, links, payloads))) {
      const page = await new Browser().visit(`${shop.url}${screen}?${name}=${encodeURIComponent(payload)}`)
      count(`${screen}?${name}=${payload}`, problemOf(page))
    }
    for (const [screen, payload] of pick(everyOf(screens, payloads))) {
      const headers = {
        referer: `https://x.test/${payload}`,
        "accept-language": payload,
        accept: "text/html",
      }
      const sent = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, encodeURI(value)]),
      )
      const response = await rawRequest(shop.url, `${screen}/${encodeURIComponent(payload)}`, {
        headers: sent,
      })
      count(`${screen}/${payload}`, problemOf(response))
    }
    conclude()
  },
)

const problemOf = (page: HtmlPage | RawResponse) => findViolation(page) ?? running(page)

/** Of an address that no mail server takes the buyer is asked once. */
async function confirmed(asked: HtmlPage): Promise<HtmlPage> {
  return asked.status === 422 ? asked.submit({ button: { value: "pay" } }) : asked
}

attackTest(
  "HTML and SQL in a buyer's email and notes are stored as text and run on no page or playlist",
  async (pick) => {
    const { count, conclude } = tally("stored texts of buyers")
    const before = new Set(readStoredRows(shop.dataDir).orders.map(({ id }) => id))
    const chosen = pick(payloads, 5)
    for (const payload of chosen) {
      const browser = new Browser({ "user-agent": `${BROWSER_AGENT} ${encodeURI(payload)}` })
      const email = `${payload}@example.test`
      const asked = await chooseAndPay(browser, { shop, email })
      const review = await confirmed(asked)
      count(`question about ${payload}`, problemOf(asked))
      count(`review of ${payload}`, problemOf(review))
      if (!review.url.pathname.endsWith("/creatingOrder")) continue
      const paid = await waitForAccess(await payAt(await goToGateway(review)))
      const noted = await paid.submit({ having: "notes", fields: { notes: payload } })
      const pages = await Promise.all(screens.map((screen) => browser.visit(shop.url + screen)))
      for (const page of [paid, noted, ...pages]) count(`${page.url.pathname} ${payload}`, problemOf(page))
      const playlist = await paid.follow(/playlist\.m3u8\?line=[\w-]+$/)
      const strange = playlist.body
        .split(/\r?\n/)
        .find((line) => line !== "" && !/^(#EXT|https?:\/\/)/.test(line))
      count(`playlist ${payload}`, findViolation(playlist) ?? strange ?? null)
      expect(noted.field("notes")).toBe(payload)
    }
    const orders = readStoredRows(shop.dataDir).orders.filter(({ id }) => !before.has(id))
    expect(orders.length).toBeGreaterThan((5 * chosen.length) / payloads.length)
    expect(orders.map(({ status }) => status)).toEqual(orders.map(() => "active"))
    conclude()
  },
)

attackTest("texts hostile to regular expressions are answered within 10 s", async (pick) => {
  const { count, conclude } = tally("hostile to regular expressions, each answered within 10 s")
  const long = 7_000
  const texts = [
    "a".repeat(long),
    `${"a@".repeat(long / 2)}`,
    `${"a.".repeat(long / 2)}!`,
    " ".repeat(long),
    "(".repeat(long),
    "1".repeat(long),
    ":".repeat(long),
    "/".repeat(long),
    `${"=&".repeat(long / 2)}`,
    `${"-".repeat(long)}!`,
    `a@${"a.".repeat(long / 2)}`,
    `${";q=".repeat(long / 3)}`,
    `${"1.".repeat(long / 2)}x`,
    `${",".repeat(long)}`,
  ]
  const headers = [
    "cookie",
    "accept-language",
    "user-agent",
    "x-forwarded-for",
    "referer",
    "accept-encoding",
    "accept",
    "sec-purpose",
    "authorization",
    "x-api-key",
    "content-type",
    "origin",
    "if-none-match",
    "range",
  ]
  const timed = async (what: string, call: () => ReturnType<typeof rawRequest>) =>
    count(what, await failuresWithin10s(shop, call))
  for (const [name, text] of pick(everyOf(headers, texts))) {
    await timed(name, () => rawRequest(shop.url, "/checkout/", { headers: { [name]: text } }))
  }
  for (const [name, text] of pick(everyOf(["email", "promocode", "resume", "signature", "x"], texts))) {
    await timed(name, () =>
      rawRequest(shop.url, `/checkout/?${name}=${encodeURIComponent(text).slice(0, 14_000)}`),
    )
  }
  for (const text of pick(texts, 5)) {
    await timed("path", () => rawRequest(shop.url, `/checkout/${encodeURIComponent(text).slice(0, 14_000)}`))
    await timed("slashes", () => rawRequest(shop.url, `${"/".repeat(long)}checkout`))
    const body = new URLSearchParams({ email: text.repeat(6), plan: text, promoCode: text, intent: "pay" })
    const form = { "content-type": "application/x-www-form-urlencoded" }
    await timed("form", () =>
      rawRequest(shop.url, "/checkout/", { method: "POST", body: `${body}`, headers: form }),
    )
  }
  conclude()
})
