import { RouterContextProvider } from "react-router"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { type RejectionReason, requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import { openApiAccess } from "~/security/api-tokens.server"
import { API_KEY } from "../../../tests/fixtures/billing-api-server"
import { respond } from "../../../tests/fixtures/shop-router"
import { openTestShop, type TestShop } from "../../../tests/fixtures/test-shop"
import { action, loader } from "./billing-api"
import { action as click } from "./new-click"
import { loader as describe } from "./openapi"

let shop: TestShop
beforeEach(async () => {
  shop = await openTestShop()
})
afterEach(() => shop.billing.close())

const key = { "x-api-key": API_KEY }
const apiAuth = openApiAccess({ keys: [API_KEY], secrets: ["s".repeat(32)] })

type How = { on?: boolean; rejection?: RejectionReason | null; init?: RequestInit }

function visit(path: string, { on = true, rejection = null, init = {} }: How = {}) {
  const url = new URL(`https://shop.test/checkout/${path}`)
  const context = new RouterContextProvider()
  context.set(servicesContext, { ...shop.services, apiAuth: on ? apiAuth : null })
  const { log } = shop.services
  context.set(requestContext, { id: "r1", at: 0, address: "192.0.2.7", nonce: "n", rejection, log })
  return { request: new Request(url, init), url, context, params: { call: path.replace("api/", "") } }
}

const pattern = "/api/:call" as const

test("without configured keys every API path returns 404", async () => {
  const off = { on: false, init: { headers: key } }
  const gone = { status: 404 }
  await expect(loader({ ...visit("api/getProducts", off), pattern })).rejects.toMatchObject(gone)
  await expect(action({ ...visit("api/auth", off), pattern })).rejects.toMatchObject(gone)
  for (const method of ["GET", "POST"]) {
    const request = { path: "/api/openapi.json", ...(method === "POST" && { json: {} }) }
    expect((await respond({ ...shop.services, apiAuth: null }, request)).status).toBe(404)
  }
})

test("with a configured key the API answers, and its OpenAPI description needs no key", async () => {
  const response = await loader({ ...visit("api/getProducts", { init: { headers: key } }), pattern })
  expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"])
  const description = describe({ ...visit("api/openapi.json"), pattern: "/api/openapi.json" })
  expect(await description.json()).toMatchObject({
    openapi: "3.1.0",
    servers: [{ url: "https://shop.test" }],
  })
  const { status, headers } = await respond(
    { ...shop.services, apiAuth },
    { path: "/api/openapi.json", json: {} },
  )
  expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD"])
})

test.each([
  ["method-not-allowed", 405, "method-not-allowed"],
  ["too-large", 400, "bad-request"],
  ["forbidden-origin", 403, "forbidden-origin"],
] as const)("a request rejected by the server as %s gets an API error body", async (rejection, ...result) => {
  const response = await loader({ ...visit("api/auth", { rejection, init: { headers: key } }), pattern })
  const { error } = await response.json()
  expect([response.status, error.code]).toEqual(result)
})

const clicks = async () =>
  (await shop.billing.operator.affiliates()).find(({ id }) => id === "7")?.clicks ?? 0

const clicked = (request: object, headers: Record<string, string> = key) =>
  click({
    ...visit("aff/new_click", {
      init: {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(request),
      },
    }),
    pattern: "/aff/new_click",
  })

test("counts every click reported by a storefront, and each visitor once", async () => {
  await clicked({ aff_id: 7 })
  await clicked({ aff_id: "7" })
  expect(await clicks()).toBe(2)
  await clicked({ aff_id: 7, visitor: "v1" })
  expect((await clicked({ aff_id: 7, visitor: "v1" })).status).toBe(200)
  expect(await clicks()).toBe(3)
})

test("counts a click without a key once a day for the client", async () => {
  await clicked({ aff_id: 7 }, {})
  expect((await clicked({ aff_id: 7 }, {})).status).toBe(204)
  expect(await clicks()).toBe(1)
})

test("rejects a wrong key and an invalid click with an API error body, and counts neither", async () => {
  const wrong = await clicked({ aff_id: 7 }, { "x-api-key": "wrong" })
  expect([wrong.status, await wrong.json()]).toEqual([
    401,
    { result: "error", error: { code: "invalid-api-key", message: "Invalid x-api-key" } },
  ])
  const invalid = await clicked({ aff_id: "7' or 1=1" }, {})
  expect([invalid.status, (await invalid.json()).error.code]).toEqual([400, "bad-request"])
  expect(await clicks()).toBe(0)
})

test("responds 429 with Retry-After to clicks above the limit of an address", async () => {
  vi.spyOn(shop.services.rateLimits, "click").mockResolvedValue({ ok: false, retryAfterSeconds: 60 })
  const limited = await clicked({ aff_id: 7 }, {})
  expect([limited.status, (await limited.json()).error.code]).toEqual([429, "rate-limited"])
  expect([limited.headers.get("retry-after"), await clicks()]).toEqual(["60", 0])
})
