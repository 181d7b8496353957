import { afterAll, expect, test } from "vitest"
import { LINKS_BEGIN, openLinkSandbox, signedLink } from "../../../tests/fakes/sandbox-with-links"
import { translationByLanguage } from "../translations/translations"

const DAY_S = 86_400
const { origin, visit, choose, close } = await openLinkSandbox()
afterAll(close)

const genuine = signedLink({ invoice: "hostile" })
const other = (changes: Record<string, string | undefined>) => signedLink({ invoice: "hostile", ...changes })

test.each([
  ["without a signature", genuine.replace(/&sig=.*/, ""), 403],
  ["with an empty signature", genuine.replace(/&sig=.*/, "&sig="), 403],
  ["with half a signature", genuine.slice(0, -32), 403],
  ["with a signature in capitals", genuine.replace(/[0-9a-f]{64}$/, (it) => it.toUpperCase()), 403],
  ["with two signatures", `${genuine}&sig=${"0".repeat(64)}`, 403],
  ["with a signature beside its own", `${genuine}&sig2=1`, 403],
  ["signed by somebody else", signedLink({ invoice: "hostile" }, "another-secret"), 403],
  ["with another amount", genuine.replace("12.50", "0.50"), 403],
  ["with another currency", genuine.replace("EUR", "USD"), 403],
  ["for another invoice", genuine.replace("hostile", "hostil2"), 403],
  ["with another way back", genuine.replace("shop.example", "evil.example"), 403],
  ["with another time", genuine.replace(String(LINKS_BEGIN), String(LINKS_BEGIN + 1)), 403],
  ["with an amount before its own", `amount=0.50&${genuine}`, 403],
  ["with an amount behind its own", `${genuine}&amount=0.50`, 403],
  ["that is cut off", genuine.slice(0, 60), 403],
  ["that says nothing", "", 403],
  ["of bytes that are not UTF-8", genuine.replace("hostile", "%ff%fe"), 403],
  ["with broken escapes", genuine.replace("hostile", "%zz"), 403],
  ["with the name of a built-in", `__proto__=1&${genuine}`, 403],
  ["of another shop's, signed with this shop's key", other({ merchant: "m_2" }), 403],
  ["signed, without a shop", other({ merchant: undefined }), 400],
  ["signed, for nothing", other({ amount: "0.00" }), 400],
  ["signed, for less than nothing", other({ amount: "-1.00" }), 400],
  ["signed, for a fraction of a cent", other({ amount: "12.505" }), 400],
  ["signed, in an unknown currency", other({ currency: "XYZ" }), 400],
  ["signed, for nobody's invoice", other({ invoice: "" }), 400],
  ["signed, with a script for a way back", other({ return_url: "javascript:alert(1)" }), 400],
  ["signed, with a way back to somebody else", other({ return_url: "https://evil.example/" }), 400],
  ["signed, with a callback to somebody else", other({ callback_url: "http://10.0.0.1/" }), 400],
  ["signed, with a word nobody knows", other({ discount: "1.00" }), 400],
  ["signed, without a time", other({ ts: undefined }), 400],
  ["signed, with a time that is none", other({ ts: "today" }), 400],
  ["signed, with an end that is none", other({ expires_at: "tomorrow" }), 400],
  ["signed, from more than five minutes ahead", other({ ts: String(LINKS_BEGIN + 301) }), 400],
  ["signed, and more than a day old", other({ ts: String(LINKS_BEGIN - DAY_S - 301) }), 410],
])("a link %s is refused in words, and nothing is opened or paid", async (_, link, status) => {
  const [page, paid] = [await visit(link), await choose(link, "paid")]
  expect([page.status, paid.status, paid.location]).toEqual([status, status, null])
  expect(page.type).toContain("text/html")
  expect(await page.text).toContain(
    status === 410 ? translationByLanguage.en.isExpired : translationByLanguage.en.unknown,
  )
})

test("after all of them the genuine link still finds nothing paid", async () => {
  const page = await visit(genuine)
  expect([page.status, await page.text]).toEqual([200, expect.stringContaining('value="paid"')])
})

test("a link of a megabyte is not read", async () => {
  expect((await visit(`${genuine}&x=${"x".repeat(1024 * 1024)}`)).status).toBe(431)
})

test("a refusal is in the buyer's language", async () => {
  const page = await fetch(`${origin}/offshore/pay`, { headers: { "accept-language": "de" } })
  expect(await page.text()).toContain(translationByLanguage["de-DE"].unknown)
})
