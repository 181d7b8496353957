import { afterEach, beforeEach, expect, test } from "vitest"
import { DAY, dayIn } from "~/domain/calendar"
import { sweep } from "~/flows/jobs/reconcile.server"
import { receiveCallback } from "~/flows/payments/receive-callback.server"
import { UntrustedCallbackError } from "~/gateways/gateway"
import { type ConsoleVisitor, enrolled } from "../../../../tests/fixtures/console"
import { openTestShop, type TestShop } from "../../../../tests/fixtures/test-shop"

let shop: TestShop
let marta: ConsoleVisitor
beforeEach(async () => {
  shop = await openTestShop()
  marta = await enrolled(shop, "viewer")
})
afterEach(() => shop.billing.close())

const page = async (query = "") => (await marta.request({ path: `/admin/rejected-callbacks${query}` })).text()
const dayBefore = (days: number) => dayIn("UTC", shop.services.now() - days * DAY)

async function rejected(gateway: "offshore" | "coinbase", reason: string, days: number) {
  await shop.services.payments.recordRejectedCallback(gateway, reason, dayBefore(days))
}

test("lists rejected callbacks by day, gateway and reason with their count, and the overview leads there", async () => {
  expect(await page()).toContain(`No callback was rejected since ${dayBefore(30)}.`)
  await rejected("offshore", "signature does not match", 0)
  await rejected("offshore", "signature does not match", 0)
  await rejected("coinbase", "too old", 3)
  const listed = await page()
  expect(listed).toMatch(/<td>Offshore<\/td><td>signature does not match<\/td><td[^>]*>2<\/td>/)
  expect(listed.indexOf("Offshore</td>")).toBeLessThan(listed.indexOf("Coinbase</td>"))
  const overview = await (await marta.request({ path: "/admin" })).text()
  expect(overview).toContain('<a href="/checkout/admin/rejected-callbacks">Rejected callbacks</a>')
})

test("filters by gateway and first day, and says which of them is not valid", async () => {
  await rejected("offshore", "signature does not match", 2)
  await rejected("coinbase", "too old", 40)
  expect(await page("?gateway=coinbase")).not.toMatch(/signature|too old/)
  const all = await page(`?since=${dayBefore(50)}`)
  expect(all).toContain("too old")
  expect(await page(`?since=${dayBefore(50)}&gateway=offshore`)).not.toContain("too old")
  expect(await page("?since=2026-02-31&gateway=odd")).toContain("These are not valid and were left out")
})

const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(1)>"'\u202e\u001b[2J`

/** Sends a callback with a wrong signature to the shop, and returns the address of its page in the console. */
async function sendHostile(): Promise<string> {
  shop.gateway.gateway.parseCallback = () => {
    throw new UntrustedCallbackError("signature does not match")
  }
  const headers = new Headers({
    "x-evil": "<script>alert(2)</script>",
    "webhook-signature": "v1,".concat("B".repeat(43)),
  })
  const body = Buffer.from(HOSTILE)
  const callback = { headers, body, at: shop.services.now(), address: "192.0.2.7" }
  expect((await receiveCallback(shop.services, "offshore", callback)).kind).toBe("rejected")
  return /href="\/checkout(\/admin\/rejected-callbacks\/[^"]+)"/.exec(await page())?.[1] ?? ""
}

test("a rejected callback leads to what it has sent, which runs on no page and is downloaded as a file", async () => {
  const path = await sendHostile()
  const shown = await (await marta.request({ path })).text()
  expect(shown).toContain("&lt;script&gt;alert(1)&lt;/script&gt;")
  expect(shown).toContain("&lt;script&gt;alert(2)&lt;/script&gt;")
  expect(shown).toContain("v1,BBBB...(43 characters)")
  expect(shown).toContain("\\u202e\\u001b[2J")
  expect(shown).not.toMatch(/<script>alert|<img src=x/)
  const file = await marta.request({ path: `${path}/body` })
  expect([file.headers.get("content-type"), file.headers.get("content-disposition")]).toEqual([
    "application/octet-stream",
    'attachment; filename="callback.bin"',
  ])
  expect(await file.text()).toBe(HOSTILE)
})

test("after two weeks what was sent is gone, and its page too", async () => {
  const path = await sendHostile()
  shop.wait(14 * DAY + 1)
  await sweep(shop.services, "an instance")
  expect(
    (await shop.billing.overview.storedCallbacks({ gateways: ["offshore"], since: 0, limit: 9 })).length,
  ).toBe(0)
  marta = await enrolled(shop, "support")
  for (const gone of [path, `${path}/body`]) expect((await marta.request({ path: gone })).status).toBe(404)
})
