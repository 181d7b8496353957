import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { expect, onTestFinished, test } from "vitest"
import { streamOf } from "./streamed-body.server"

const limits = { timeoutMs: 5_000, maxBytes: 10, startBytes: 3 }

test("returns the first bytes before the body ends, and then the whole body", async () => {
  const { url, responses } = await upstream((response) => response.write("äbc"))
  const { start, bytes } = await streamOf(url, limits)
  expect(start.toString()).toBe("äb")
  responses[0]?.end("def")
  expect(await text(bytes)).toBe("äbcdef")
})

test("waits for as many first bytes as it is asked for", async () => {
  const { url, responses } = await upstream((response) => response.write("a"))
  const opening = streamOf(url, limits)
  await expect.poll(() => responses.length).toBe(1)
  responses[0]?.write("bc")
  expect((await opening).start.toString()).toBe("abc")
})

test("a body that is shorter than the first bytes is returned whole", async () => {
  const { url } = await upstream((response) => response.end("a"))
  const { start, bytes } = await streamOf(url, limits)
  expect([start.toString(), await text(bytes)]).toEqual(["a", "a"])
})

test.each([
  ["a redirect", 302, "unreadable"],
  ["a 401", 401, "refused"],
  ["a 500", 500, "unavailable"],
])("rejects %s without a retry, with a message without the query", async (_, status, kind) => {
  const { url, responses } = await upstream((response) => response.writeHead(status, { location: "/" }).end())
  const message = expect.stringMatching(/^GET 127\.0\.0\.1:\d+\/list [^?]*$/)
  await expect(streamOf(url, limits)).rejects.toMatchObject({ kind, message })
  expect(responses).toHaveLength(1)
})

test("rejects a refused connection", async () => {
  const address = new URL("http://127.0.0.1:9/list?password=123")
  await expect(streamOf(address, limits)).rejects.toMatchObject({ kind: "unavailable" })
})

test("aborts a request whose first bytes do not come in time", async () => {
  const { url } = await upstream((response) => response.flushHeaders())
  await expect(streamOf(url, { ...limits, timeoutMs: 60 })).rejects.toMatchObject({ kind: "unavailable" })
})

test.each([
  ["breaks off", (response: ServerResponse) => response.destroy(), "unavailable"],
  ["stops sending", () => {}, "unavailable"],
  ["exceeds the maximum size", (response: ServerResponse) => response.end("x".repeat(10)), "unreadable"],
])("a body that %s fails after its first bytes", async (_, go, kind) => {
  const { url, responses } = await upstream((response) => response.write("abc"))
  const { bytes } = await streamOf(url, { ...limits, timeoutMs: 3_000 })
  const [response] = responses
  if (response) go(response)
  await expect(text(bytes)).rejects.toMatchObject({ kind })
})

test("a reader that leaves early ends the request", async () => {
  const { url, responses } = await upstream((response) => response.write("abc"))
  const { bytes } = await streamOf(url, limits)
  const [response] = responses
  if (!response) throw new Error("The upstream was not asked")
  const closed = once(response, "close")
  for await (const _ of bytes) break
  await expect(closed).resolves.toEqual([])
})

async function upstream(answer: (response: ServerResponse) => unknown) {
  const responses: ServerResponse[] = []
  const server = createServer((_, response) => {
    responses.push(response)
    answer(response)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  return { url: new URL(`http://127.0.0.1:${port}/list?password=123`), responses }
}
