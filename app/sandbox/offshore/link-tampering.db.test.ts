import { afterAll, expect, test } from "vitest"
import { LINKS_BEGIN, openLinkSandbox, signedLink } from "../../../tests/fakes/sandbox-with-links"
import { translationByLocale } from "../translations/translations"

const DAY_S = 86_400
const { origin, visit, choose, close } = await openLinkSandbox()
afterAll(close)

const genuine = signedLink({ invoice: "hostile" })
const other = (changes: Record<string, string | undefined>) => signedLink({ invoice: "hostile", ...changes })

test.each([
  ["without a signature", genuine.replace(/&sig=.*/, ""), 403],
  ["with an empty signature", genuine.replace(/&sig=.*/, "&sig="), 403],
  ["with a truncated signature", genuine.slice(0, -32), 403],
  ["with an upper-case signature", genuine.replace(/[0-9a-f]{64}$/, (it) => it.toUpperCase()), 403],
  ["with two signatures", `${genuine}&sig=${"0".repeat(64)}`, 403],
  ["with an added parameter sig2", `${genuine}&sig2=1`, 403],
  ["signed with another secret", signedLink({ invoice: "hostile" }, "another-secret"), 403],
  ["with a changed amount", genuine.replace("12.50", "0.50"), 403],
  ["with a changed currency", genuine.replace("EUR", "USD"), 403],
  ["with a changed invoice", genuine.replace("hostile", "hostil2"), 403],
  ["with a changed return URL", genuine.replace("shop.example", "evil.example"), 403],
  ["with a changed timestamp", genuine.replace(String(LINKS_BEGIN), String(LINKS_BEGIN + 1)), 403],
  ["with a duplicate amount prepended", `amount=0.50&${genuine}`, 403],
  ["with a duplicate amount appended", `${genuine}&amount=0.50`, 403],
  ["that is truncated", genuine.slice(0, 60), 403],
  ["with an empty query", "", 403],
  ["with escaped bytes that are not UTF-8", genuine.replace("hostile", "%ff%fe"), 403],
  ["with broken escapes", genuine.replace("hostile", "%zz"), 403],
  ["with a parameter named __proto__", `__proto__=1&${genuine}`, 403],
  ["with another merchant, signed with this shop's key", other({ merchant: "m_2" }), 403],
  ["signed, without a merchant", other({ merchant: undefined }), 400],
  ["signed, with an amount of zero", other({ amount: "0.00" }), 400],
  ["signed, with a negative amount", other({ amount: "-1.00" }), 400],
  ["signed, with a fraction of a cent", other({ amount: "12.505" }), 400],
  ["signed, with an unknown currency", other({ currency: "XYZ" }), 400],
  ["signed, with an empty invoice", other({ invoice: "" }), 400],
  ["signed, with a javascript: return URL", other({ return_url: "javascript:alert(1)" }), 400],
  ["signed, with a return URL of an unknown shop", other({ return_url: "https://evil.example/" }), 400],
  ["signed, with a callback URL of an unknown shop", other({ callback_url: "http://10.0.0.1/" }), 400],
  ["signed, with an unknown parameter", other({ discount: "1.00" }), 400],
  ["signed, without a timestamp", other({ ts: undefined }), 400],
  ["signed, with a malformed timestamp", other({ ts: "today" }), 400],
  ["signed, with a malformed expiry", other({ expires_at: "tomorrow" }), 400],
  [
    "signed, with a timestamp more than five minutes in the future",
    other({ ts: String(LINKS_BEGIN + 301) }),
    400,
  ],
  ["signed, with a timestamp more than a day old", other({ ts: String(LINKS_BEGIN - DAY_S - 301) }), 410],
])("the sandbox rejects a link %s with an HTML error page", async (_, link, status) => {
  const [page, paid] = [await visit(link), await choose(link, "paid")]
  expect([page.status, paid.status, paid.location]).toEqual([status, status, null])
  expect(page.type).toContain("text/html")
  expect(await page.text).toContain(
    status === 410 ? translationByLocale.en.isExpired : translationByLocale.en.unknown,
  )
})

test("the valid link is still unpaid after all tampered links", async () => {
  const page = await visit(genuine)
  expect([page.status, await page.text]).toEqual([200, expect.stringContaining('value="paid"')])
})

test("the sandbox returns 431 for a link of a megabyte", async () => {
  expect((await visit(`${genuine}&x=${"x".repeat(1024 * 1024)}`)).status).toBe(431)
})

test("the error page of a rejected link is in the buyer's language", async () => {
  const page = await fetch(`${origin}/offshore/pay`, { headers: { "accept-language": "de" } })
  expect(await page.text()).toContain(translationByLocale["de-DE"].unknown)
})
