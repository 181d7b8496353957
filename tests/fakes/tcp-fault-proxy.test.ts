import { once } from "node:events"
import { createServer } from "node:http"
import { afterAll, expect, test } from "vitest"
import { openFaultProxy } from "./tcp-fault-proxy"

const upstream = createServer((_, response) => void response.end("all is well"))
upstream.listen(0, "127.0.0.1")
await once(upstream, "listening")
const address = upstream.address()
if (typeof address !== "object" || !address) throw new Error("no port")

const proxy = await openFaultProxy({ host: "127.0.0.1", port: address.port })
const request = (signal?: AbortSignal) => fetch(`http://127.0.0.1:${proxy.port}/`, { signal: signal ?? null })

afterAll(async () => {
  await proxy.close()
  upstream.close()
})

test("without a fault the proxy forwards everything", async () => {
  proxy.set("pass")
  expect(await (await request()).text()).toBe("all is well")
})

test("the refuse fault resets connections immediately", async () => {
  proxy.set("refuse")
  await expect(request()).rejects.toThrow(TypeError)
})

test("the hang fault accepts a request and never responds", async () => {
  proxy.set("hang")
  await expect(request(AbortSignal.timeout(50))).rejects.toMatchObject({ name: "TimeoutError" })
})

test("what hangs gets its response when it is released", async () => {
  proxy.set("hang")
  const before = proxy.requests()
  const hanging = request()
  await expect.poll(proxy.requests).toBe(before + 1)
  proxy.release()
  expect(await (await hanging).text()).toBe("all is well")
  expect(await (await request()).text()).toBe("all is well")
})

test("the html fault responds with an HTML page", async () => {
  proxy.set("html")
  const response = await request()
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html"])
  expect(await response.text()).toContain("<h1>")
})

test("the cut fault closes the connection halfway through the response", async () => {
  proxy.set("cut")
  await expect(request().then((response) => response.text())).rejects.toThrow(TypeError)
})

test("a new fault applies from the next request on, also on a keep-alive connection", async () => {
  proxy.set("pass")
  await (await request()).text()
  proxy.set("html")
  expect(await (await request()).text()).toContain("<h1>")
  proxy.set("pass")
  expect(await (await request()).text()).toBe("all is well")
})

test("an unreachable upstream breaks the connection and does not crash the proxy", async () => {
  const unreachable = await openFaultProxy({ host: "127.0.0.1", port: 1 })
  await expect(fetch(`http://127.0.0.1:${unreachable.port}/`)).rejects.toThrow(TypeError)
  await unreachable.close()
})
