import { once } from "node:events"
import { createServer } from "node:http"
import { createServer as createSecureServer } from "node:https"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { afterAll, beforeEach, expect, test } from "vitest"
import { z } from "zod"
import { openFaultProxy } from "../../tests/fakes/tcp-fault-proxy"
import { expiredCertificate } from "../../tests/fixtures/expired-certificate"
import { jsonClient } from "./json-client.server"

/** Requested paths of a test. Counting tests use a path of their own: an aborted request of one test may arrive during the next. */
const requests: (string | undefined)[] = []
const upstream = createServer(({ url, headers }, response) => {
  requests.push(url)
  const text = JSON.stringify({ name: "tea".repeat(100), agent: headers["user-agent"] })
  if (!url?.startsWith("/packed")) return response.end(text)
  const packed = gzipSync(text)
  response.setHeader("content-encoding", url === "/packed-as-before" ? "X-GZip" : "gzip")
  return response.end(url === "/packed-in-part" ? packed.subarray(0, -12) : packed)
}).listen(0, "127.0.0.1")
await once(upstream, "listening")
const address = upstream.address()
if (typeof address !== "object" || !address) throw new Error("no port")

const proxy = await openFaultProxy({ host: "127.0.0.1", port: address.port })
const url = `http://127.0.0.1:${proxy.port}`
const Thing = z.object({ name: z.string() })

beforeEach(() => {
  requests.length = 0
  proxy.set("pass")
})
afterAll(async () => {
  await proxy.close()
  upstream.close()
  upstream.closeAllConnections()
})

test("parses a response over a working connection", async () => {
  await expect(jsonClient({ url }).get("things", Thing)).resolves.toMatchObject({ name: /tea/ })
})

test.each([
  ["with gzip", "packed"],
  ["by its former name, in other letters", "packed-as-before"],
])("unpacks a response that the upstream has compressed %s", async (_, path) => {
  await expect(jsonClient({ url }).get(path, Thing)).resolves.toMatchObject({ name: /^(tea){100}$/ })
})

test("retries a compressed response that lacks its end", async () => {
  const client = jsonClient({ url, retryDelaysMs: [1, 1] })
  await expect(client.get("packed-in-part", Thing)).rejects.toMatchObject({ kind: "unavailable" })
  expect(requests).toHaveLength(3)
})

test("names itself, because firewalls refuse requests without a user agent", async () => {
  const Named = z.object({ agent: z.string() })
  await expect(jsonClient({ url }).get("things", Named)).resolves.toEqual({ agent: "Boxoffice" })
})

test("aborts a request without a response after the timeout", async () => {
  proxy.set("hang")
  const client = jsonClient({ url, timeoutMs: 60, retryDelaysMs: [1, 1] })
  await expect(client.get("things", Thing)).rejects.toMatchObject({ kind: "unavailable", status: null })
})

test("says in words why there was no response", async () => {
  const secure = createSecureServer(expiredCertificate, (_, response) => response.end("{}"))
  await once(secure.listen(0, "127.0.0.1"), "listening")
  const { port } = secure.address() as AddressInfo
  const reasonAt = (base: string, timeoutMs = 20_000) =>
    jsonClient({ url: base, timeoutMs, retryDelaysMs: [] })
      .get("things", Thing)
      .catch(({ message }) => message)
  const withCertificate = await reasonAt(`https://127.0.0.1:${port}`)
  secure.close()
  expect(withCertificate).toBe(`GET 127.0.0.1:${port}/things got no response: invalid certificate`)
  expect(await reasonAt(`http://127.0.0.1:${port}`)).toMatch(/got no response: connection refused$/)
  proxy.set("hang")
  expect(await reasonAt(url, 200)).toMatch(/got no response: timeout$/)
})

test("the timeout covers all retries together", async () => {
  proxy.set("refuse")
  const client = jsonClient({ url, timeoutMs: 60, retryDelaysMs: [60_000] })
  await expect(client.get("things", Thing)).rejects.toMatchObject({ kind: "unavailable" })
})

// Without a wait the test takes milliseconds; its own timeout is shorter than the delay.
test("does not wait for a retry that could not start before the timeout", { timeout: 29_000 }, async () => {
  proxy.set("refuse")
  const client = jsonClient({ url, timeoutMs: 30_000, retryDelaysMs: [30_000] })
  await expect(client.get("things", Thing)).rejects.toMatchObject({ kind: "unavailable" })
})

test("retries when the connection breaks during the response", async () => {
  proxy.set("cut")
  const client = jsonClient({ url, retryDelaysMs: [1, 1] })
  await expect(client.get("broken-off", Thing)).rejects.toMatchObject({ kind: "unavailable" })
  expect(requests.filter((path) => path === "/broken-off")).toHaveLength(3)
})

test("reports an HTML page from a proxy as unreadable", async () => {
  proxy.set("html")
  await expect(jsonClient({ url }).get("page", Thing)).rejects.toMatchObject({ kind: "unreadable" })
  expect(requests).not.toContain("/page")
})

test("succeeds on the next call after the connection is restored", async () => {
  proxy.set("refuse")
  const client = jsonClient({ url, retryDelaysMs: [] })
  await expect(client.get("things", Thing)).rejects.toMatchObject({ kind: "unavailable" })
  proxy.set("pass")
  await expect(client.get("things", Thing)).resolves.toMatchObject({ name: /tea/ })
})
