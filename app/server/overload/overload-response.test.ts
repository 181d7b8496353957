import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import pino from "pino"
import { RouterContextProvider } from "react-router"
import { afterAll, beforeAll, expect, test } from "vitest"
import { readShopFile } from "~/config/shop-file.server"
import { locales } from "~/domain/locales"
import { noLaw } from "~/domain/shop/country-law"
import { loadCatalogue } from "~/i18n/i18n"
import { requestListener } from "~/server/request-listener.server"
import { readHtml, textOf } from "../../../tests/support/html/html-tree"
import { rawRequest } from "../../../tests/support/http/raw-request"

const lines: Record<string, unknown>[] = []
const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
const shop = {
  publicUrl: "http://127.0.0.1:4999",
  currency: "EUR" as const,
  legal: { seller: null, terms: null, privacy: null, refunds: null, tax: {}, law: noLaw },
  tax: null,
  logo: null,
  analytics: null,
  brand: readShopFile(undefined).brand,
  brandVersion: 0,
}
const server = createServer(
  requestListener({
    trustedProxies: [],
    clientFolder: "/nowhere",
    maxConcurrent: 0,
    services: {
      shop,
      gateways: new Map(),
      now: () => 7,
      apiAuth: null,
      countryOf: async () => "DE",
      catalogue: { plans: async () => [], paused: () => false, pausedFor: () => null },
      watchRestores: () => async () => false,
      stepCounter: { count: () => {}, flush: async () => {} },
    },
    contextOf: () => new RouterContextProvider(),
    log,
    handle: async () => new Response("well"),
  }).handle,
)
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)))
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())))

const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const html = { accept: "text/html,*/*;q=0.8" }

for (const { code, iso, prefix } of locales) {
  test(`answers 503 with an overload page in ${code}`, async () => {
    const { error } = await loadCatalogue(code)
    const page = await rawRequest(origin(), `/checkout${prefix}/waiting?x=1`, { headers: html })
    expect(page.status).toBe(503)
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8")
    expect(page.body).toContain(`<html lang="${iso}">`)
    const shown = textOf(readHtml(page.body.toString()))
    for (const message of [error.crowded, error.kept, error.retry]) expect(shown).toContain(message)
    expect(page.body).toContain(`href="/checkout${prefix}/waiting"`)
  })
}

test("the overload page uses Accept-Language where the URL has no locale", async () => {
  const headers = { ...html, "accept-language": "nl, en;q=0.5" }
  expect((await rawRequest(origin(), "/checkout/", { headers })).body).toContain('<html lang="nl-NL">')
})

test("Retry-After is random between 5 and 15 seconds", async () => {
  const call = Array.from({ length: 40 }, () => rawRequest(origin(), "/checkout/", { headers: html }))
  const waits = (await Promise.all(call)).map(({ headers }) => Number(headers["retry-after"]))
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(5)
  expect(Math.max(...waits)).toBeLessThanOrEqual(15)
  expect(new Set(waits).size).toBeGreaterThan(3)
})

test("the overload page is not cached, and its style has a nonce of its own", async () => {
  const [first, second] = await Promise.all(
    [1, 2].map(() => rawRequest(origin(), "/checkout/", { headers: html })),
  )
  expect(first?.headers["cache-control"]).toBe("no-store")
  const nonces = [first, second].map((it) => /<style nonce="([\w-]+)"/.exec(it?.body ?? "")?.[1])
  expect(first?.headers["content-security-policy"]).toContain(`'nonce-${nonces[0]}'`)
  expect(nonces[0]).not.toBe(nonces[1])
})

test.each([
  ["a call of the API", "/checkout/api/getPlans", { result: "error", error: { code: "unavailable" } }],
  ["the polling of an open page", "/checkout/api/order-status", { result: "error" }],
])("%s gets the 503 as JSON", async (_, path, body) => {
  const response = await rawRequest(origin(), path, { headers: html })
  expect(response.status).toBe(503)
  expect(Number(response.headers["retry-after"])).toBeGreaterThan(0)
  expect(JSON.parse(response.body)).toMatchObject(body)
})

test("the client script gets the error kind, a player gets plain text", async () => {
  expect((await rawRequest(origin(), "/checkout/waiting.data?_routes=x")).body).toBe("crowded")
  const { error } = await loadCatalogue("de-de")
  expect((await rawRequest(origin(), "/checkout/de-de/success/playlist.m3u8")).body).toBe(
    `${error.crowded}\n`,
  )
})

test.each(["*", "//evil.test/", "/checkout/%E0%A4%A", '/checkout/"><script>', "http://evil.test/", "/"])(
  "answers an invalid request target: %s",
  async (path) => {
    const response = await rawRequest(origin(), path, { headers: html })
    expect(response.status).toBe(503)
    expect(response.body).toContain('href="/checkout/"')
    expect(response.body).not.toMatch(/evil|<script/)
  },
)

test("rejects a form without reading it and keeps the connection open", async () => {
  const sent = { method: "POST", headers: html, body: "x".repeat(50_000) }
  expect((await rawRequest(origin(), "/checkout/", sent)).status).toBe(503)
  expect((await rawRequest(origin(), "/checkout/", { method: "HEAD", headers: html })).body).toBe("")
})

test("answers health checks under overload", async () => {
  expect(await rawRequest(origin(), "/checkout/api/health")).toMatchObject({ status: 200, body: "well" })
})

test("logs one line for all rejected requests, without their contents", () => {
  expect(lines.filter(({ msg }) => msg === "requests rejected: overload")).toHaveLength(1)
  expect(lines.filter(({ status }) => status === 503)).toEqual([])
})
