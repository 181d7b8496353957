import { afterAll, beforeEach, expect, test } from "vitest"
import {
  LINKS_BEGIN,
  linkRequest,
  openLinkSandbox,
  signedLink,
} from "../../../tests/fakes/sandbox-with-links"
import { translationByLocale } from "../translations/translations"

const DAY_S = 86_400
const { visit, choose, setClock, close } = await openLinkSandbox()
afterAll(close)
beforeEach(() => setClock(LINKS_BEGIN))

test("the reference test vector's link creates a sandbox payment", async () => {
  const link =
    "amount=12.50&currency=EUR&invoice=77&merchant=m_1" +
    "&return_url=https%3A%2F%2Fshop.example%2Fcheckout%2Fwaiting&ts=1767225600" +
    "&sig=76f09454e2ac30d847272ff0343a50612ff96d1852e026efa047bb7bf9561cbc"
  const page = await visit(link)
  expect(page.status).toBe(200)
  for (const seen of ["€12.50", "77", "shop.example", "2 Jan 2026"]) expect(await page.text).toContain(seen)
})

test("a link without cancel_url redirects a leaving buyer to the return URL", async () => {
  const left = await choose(signedLink(), "abandoned")
  expect([left.status, left.location]).toEqual([303, "https://shop.example/waiting"])
})

test("a second visit to a link shows the payment's current status", async () => {
  const link = signedLink({ invoice: "again" })
  expect(await (await visit(link)).text).toContain('value="paid"')
  expect((await choose(link, "paid")).location).toBe("https://shop.example/waiting")
  const page = await (await visit(link)).text
  expect(page).toContain(translationByLocale.en.isPaid)
  expect(page).not.toContain("Pay €12.50</button>")
  expect((await choose(link, "failed")).location).toBe(`/offshore/pay?${link}`)
})

test("concurrent first visits to a link create one payment", async () => {
  const link = signedLink({ invoice: "race" })
  const chosen = await Promise.all(["paid", "failed"].map((outcome) => choose(link, outcome)))
  expect(chosen.filter(({ location }) => location?.startsWith("https://shop.example/"))).toHaveLength(1)
})

test("a link with a new timestamp and signature finds the existing payment", async () => {
  await choose(signedLink({ invoice: "later" }), "paid")
  setClock(LINKS_BEGIN + 60)
  const reopened = signedLink({ invoice: "later", ts: String(LINKS_BEGIN + 60) })
  expect(await (await visit(reopened)).text).toContain(translationByLocale.en.isPaid)
})

test("link verification ignores the parameter order and accepts + for a space", async () => {
  const parameters = linkRequest({ return_url: "https://shop.example/way back" })
  const [sig] = signedLink(parameters).split("&").slice(-1)
  const turned = Object.entries(parameters).reverse()
  const query = turned.map(([name, value]) => `${name}=${value.replaceAll(" ", "+")}`).join("&")
  expect((await visit(`${query}&${sig}`)).status).toBe(200)
})

test("an expired link payment shows the status and cannot be paid", async () => {
  const link = signedLink({ expires_at: new Date((LINKS_BEGIN + 600) * 1_000).toISOString() })
  setClock(LINKS_BEGIN + 601)
  const page = await visit(link)
  expect([page.status, await page.text]).toEqual([
    200,
    expect.stringContaining(translationByLocale.en.isExpired),
  ])
  expect((await choose(link, "paid")).location).toBe(`/offshore/pay?${link}`)
})

test("a link creates a payment for one day plus five minutes, then returns 410", async () => {
  const link = signedLink({ ts: String(LINKS_BEGIN) })
  setClock(LINKS_BEGIN + DAY_S + 301)
  const page = await visit(link)
  expect([page.status, await page.text]).toEqual([
    410,
    expect.stringContaining(translationByLocale.en.isExpired),
  ])
  setClock(LINKS_BEGIN + DAY_S + 300)
  expect((await visit(link)).status).toBe(200)
})

test("a paid link payment is shown as paid when its link is 30 days old", async () => {
  const link = signedLink()
  await choose(link, "paid")
  setClock(LINKS_BEGIN + 30 * DAY_S)
  expect(await (await visit(link)).text).toContain(translationByLocale.en.isPaid)
})

test("a link with another amount for a known invoice returns 409 with a message", async () => {
  await visit(signedLink({ invoice: "twice" }))
  const page = await visit(signedLink({ invoice: "twice", amount: "1.00" }))
  expect([page.status, await page.text]).toEqual([
    409,
    expect.stringContaining(translationByLocale.en.unknown),
  ])
})
