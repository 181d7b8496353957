import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { healthChecks, isHealthCheck } from "./health-check.server"

let clock = 1_000
let requestCount = 0
let request = async () => Response.json({ status: "ok" })
const check = healthChecks(async ({ url }) => {
  requestCount++
  if (url.endsWith("/live")) return { response: Response.json({ status: "alive" }), route: "/api/live" }
  return { response: await request(), route: "/api/health" }
}, "https://shop.test")

const server = createServer(async (request, response) => {
  await check(request, response, null).catch(() => response.writeHead(500).end())
})
beforeEach(async () => {
  requestCount = 0
  clock += 60_000
  request = async () => Response.json({ status: "ok" })
  vi.spyOn(performance, "now").mockImplementation(() => clock)
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
})
afterEach(async () => {
  vi.restoreAllMocks()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test("a flood of health checks shares one response, which is renewed after half a second", async () => {
  const responses = await Promise.all(Array.from({ length: 50 }, () => get()))
  expect(new Set(responses.map(({ status, body }) => `${status} ${body}`))).toEqual(
    new Set(['200 {"status":"ok"}']),
  )
  expect(requestCount).toBe(1)
  clock += 501
  request = async () => Response.json({ status: "database does not answer" }, { status: 503 })
  expect(await get()).toEqual({ status: 503, body: '{"status":"database does not answer"}' })
  expect(requestCount).toBe(2)
})

test("a failed health check is not cached", async () => {
  request = () => Promise.reject(new Error("no"))
  expect((await get()).status).toBe(500)
  request = async () => Response.json({ status: "ok" })
  expect((await get()).status).toBe(200)
})

test("readiness and liveness do not share a response", async () => {
  request = async () => Response.json({ status: "database does not answer" }, { status: 503 })
  const responses = await Promise.all([get(), get("GET", "/checkout/api/live?from=here")])
  expect(responses.map(({ status }) => status)).toEqual([503, 200])
})

test("answers HEAD without a body", async () => {
  expect(await get("HEAD")).toEqual({ status: 200, body: "" })
})

test.each([
  ["GET", "/checkout/api/health", true],
  ["HEAD", "/checkout/api/health?from=here", true],
  ["GET", "/checkout/api/live", true],
  ["POST", "/checkout/api/health", false],
  ["DELETE", "/checkout/api/live", false],
  ["GET", "/checkout/api/healthy", false],
])("%s %s is a health check: %s", (method, url, is) => {
  expect(isHealthCheck({ method, url } as Parameters<typeof isHealthCheck>[0])).toBe(is)
})

async function get(method = "GET", path = "/checkout/api/health") {
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method })
  return { status: response.status, body: await response.text() }
}
