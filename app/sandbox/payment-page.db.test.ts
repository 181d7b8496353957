import { parse } from "parse5"
import { pino } from "pino"
import { afterAll, expect, test } from "vitest"
import { locales } from "~/domain/locales"
import { OFFSHORE_SECRET } from "../../tests/fakes/offshore"
import { outcomeNames } from "./outcomes"
import { startSandbox } from "./sandbox.server"
import { translationByLocale } from "./translations/translations"

const HOUR = 3_600_000
let ahead = 0
let count = 0
const sandbox = await startSandbox({
  port: 0,
  host: "127.0.0.1",
  file: ":memory:",
  callbackSecret: OFFSHORE_SECRET,
  now: () => Date.now() + ahead,
  log: pino({ level: "silent" }),
})
afterAll(() => sandbox.close())

test("the payment page shows amount, reference, shop, return link and a button for each outcome", async () => {
  const page = await pageOf({ reference: "attempt-9" })
  const html = await page.text()
  expect(page.status).toBe(200)
  for (const seen of ["€12.50", "attempt-9", "shop.test", 'href="https://shop.test/waiting?a=1&amp;b=2"']) {
    expect(html).toContain(seen)
  }
  const buttons = [...html.matchAll(/<button[^>]*>/g)].map(([tag]) => tag)
  expect(buttons.every((tag) => tag.includes('name="outcome"'))).toBe(true)
  expect(buttons.map((tag) => /value="([\w-]+)"/.exec(tag)?.[1])).toEqual(outcomeNames)
  expect(html).toContain("Offshore Pay (sandbox)")
  expect(html).toContain("Test mode")
})

test("the payment page has no script and its content security policy allows none", async () => {
  const page = await pageOf({})
  const html = await page.text()
  expect(html).not.toMatch(/<script|\son\w+=/i)
  const policy = page.headers.get("content-security-policy")
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("form-action 'self' https://shop.test")
  expect(page.headers.get("cache-control")).toBe("no-store")
})

test("the payment page escapes the shop's reference", async () => {
  const html = await (await pageOf({ reference: '<img src=x onerror="alert(1)">' })).text()
  expect(html).not.toContain("<img")
  expect(html).toContain("&lt;img")
})

test("the payment page is well-formed HTML", async () => {
  const errors: string[] = []
  parse(await (await pageOf({})).text(), { onParseError: ({ code }) => errors.push(code) })
  expect(errors).toEqual([])
})

test.each(locales)("the payment page is in $name when the shop requests it", async ({ iso }) => {
  const html = await (await pageOf({ metadata: { locale: iso } })).text()
  expect(html).toContain(`<html lang="${iso}">`)
  expect(html).toContain(translationByLocale[iso].testMode)
})

test("the payment page falls back to the browser's language, then to English", async () => {
  const browser = { "accept-language": "pt-BR,pt;q=0.9,en;q=0.5" }
  expect(await (await pageOf({ metadata: {} }, browser)).text()).toContain('lang="pt-PT"')
  expect(await (await pageOf({ metadata: { locale: "xx" } })).text()).toContain('lang="en"')
})

test("an unknown outcome returns 400 with a message and leaves the payment open", async () => {
  const url = await open({})
  const response = await fetch(url, { method: "POST", body: new URLSearchParams({ outcome: "toString" }) })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain(translationByLocale.en.chooseOne)
  expect(await (await fetch(url)).text()).toContain('value="paid"')
})

test.each([
  ["paid", translationByLocale.en.isPaid],
  ["failed", translationByLocale.en.isFailed],
] as const)(
  "the page of a payment that is %s shows the status and the return link but no pay button",
  async (outcome, message) => {
    const url = await open({})
    await fetch(url, { method: "POST", body: new URLSearchParams({ outcome }), redirect: "manual" })
    const html = await (await fetch(url)).text()
    expect(html).toContain(message)
    expect(html).toContain("https://shop.test/waiting")
    expect(html).not.toContain("Pay €12.50</button>")
  },
)

test("the page of an expired payment shows the status, and only a late payment can be chosen", async () => {
  const url = await open({})
  ahead = 2 * HOUR
  const html = await (await fetch(url)).text()
  ahead = 0
  expect(html).toContain(translationByLocale.en.isExpired)
  const buttons = [...html.matchAll(/<button[^>]*value="([\w-]+)"/g)].map(([, value]) => value)
  expect(buttons).toEqual(["late"])
})

test("the payment page of an unknown payment returns 404 with a message", async () => {
  const page = await fetch(`${sandbox.origin}/offshore/pay/pay_unknown`, {
    headers: { "accept-language": "de" },
  })
  expect(page.status).toBe(404)
  expect(await page.text()).toContain(translationByLocale["de-DE"].unknown)
})

async function pageOf(changes: Record<string, unknown>, headers: Record<string, string> = {}) {
  return fetch(await open(changes), { headers })
}

async function open(changes: Record<string, unknown>): Promise<string> {
  const body = JSON.stringify({
    amount: "12.50",
    currency: "EUR",
    reference: "attempt-1",
    return_url: "https://shop.test/waiting?returned&b=2",
    cancel_url: "https://shop.test/waiting?a=1&b=2",
    callback_url: "http://127.0.0.1:9/callback",
    expires_at: new Date(Date.now() + HOUR).toISOString(),
    metadata: { locale: "en" },
    ...changes,
  })
  const headers = { "idempotency-key": `key-${count++}` }
  const response = await fetch(`${sandbox.origin}/offshore/payments`, { method: "POST", headers, body })
  const { url } = (await response.json()) as { url: string }
  return url
}
