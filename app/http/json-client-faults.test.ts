import { once } from "node:events"
import { createServer } from "node:http"
import { afterAll, beforeEach, expect, test } from "vitest"
import { z } from "zod"
import { openFaultProxy } from "../../tests/fakes/tcp-fault-proxy"
import { jsonClient } from "./json-client.server"

/** Requested paths. Counting tests use a path of their own: an aborted request of one test may arrive during the next. */
const asked: (string | undefined)[] = []
const upstream = createServer(({ url }, response) => {
  asked.push(url)
  response.end(JSON.stringify({ name: "tea".repeat(100) }))
}).listen(0, "127.0.0.1")
await once(upstream, "listening")
const address = upstream.address()
if (typeof address !== "object" || !address) throw new Error("no port")

const proxy = await openFaultProxy({ host: "127.0.0.1", port: address.port })
const url = `http://127.0.0.1:${proxy.port}`
const Thing = z.object({ name: z.string() })

beforeEach(() => proxy.set("pass"))
afterAll(async () => {
  await proxy.close()
  upstream.close()
  upstream.closeAllConnections()
})

test("a neighbour behind a sound line is understood", async () => {
  await expect(jsonClient({ url }).get("things", Thing)).resolves.toMatchObject({ name: /tea/ })
})

test("a neighbour that takes the call and says nothing is given up when the time is over", async () => {
  proxy.set("hang")
  const client = jsonClient({ url, timeoutMs: 60, retryDelaysMs: [1, 1] })
  await expect(client.get("things", Thing)).rejects.toMatchObject({ kind: "unavailable", status: null })
})

test("the time counts for all repeats together", async () => {
  proxy.set("refuse")
  const client = jsonClient({ url, timeoutMs: 60, retryDelaysMs: [60_000] })
  await expect(client.get("things", Thing)).rejects.toMatchObject({ kind: "unavailable" })
})

test("a line that breaks off in the middle of the answer is tried again", async () => {
  proxy.set("cut")
  const client = jsonClient({ url, retryDelaysMs: [1, 1] })
  await expect(client.get("broken-off", Thing)).rejects.toMatchObject({ kind: "unavailable" })
  expect(asked.filter((path) => path === "/broken-off")).toHaveLength(3)
})

test("a page in place of an answer is unreadable and never reached the neighbour", async () => {
  proxy.set("html")
  await expect(jsonClient({ url }).get("page", Thing)).rejects.toMatchObject({ kind: "unreadable" })
  expect(asked).not.toContain("/page")
})

test("once the line is sound again the next call succeeds", async () => {
  proxy.set("refuse")
  const client = jsonClient({ url, retryDelaysMs: [] })
  await expect(client.get("things", Thing)).rejects.toMatchObject({ kind: "unavailable" })
  proxy.set("pass")
  await expect(client.get("things", Thing)).resolves.toMatchObject({ name: /tea/ })
})
