import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, beforeEach, expect, test } from "vitest"
import { publicClient } from "./public-client.server"

let requests: string[]
let server: ReturnType<typeof createServer>
let port: number
beforeEach(async () => {
  requests = []
  server = createServer((request, response) => {
    requests.push(request.url ?? "")
    if (request.url === "/breaks-off")
      response.writeHead(503, { "retry-after": "120" }).write("begun\0", () => response.destroy())
    else if (request.url === "/redirect") response.writeHead(302, { location: "/elsewhere" }).end()
    else response.end("x".repeat(100_000))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  port = (server.address() as AddressInfo).port
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** Posts to a name that resolves to the given addresses; the sandbox's rule lets http pass for `localhost` alone. */
async function posted(path: string, addresses: readonly string[], loopback = true) {
  const client = publicClient(
    { allow: [], loopback },
    {
      connections: 1,
      resolve: (_, __, done) =>
        done(
          null,
          addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
        ),
    },
  )
  const { signal } = new AbortController()
  const limits = { timeoutMs: 5_000, maxBytes: 2_000, signal }
  const result = await client.post({
    url: `http://localhost:${port}${path}`,
    headers: {},
    body: "{}",
    ...limits,
  })
  await client.close()
  return result
}

test("a name with one address that is not allowed is not connected to", async () => {
  expect(await posted("/", ["127.0.0.1", "10.0.0.1"])).toMatchObject({
    status: null,
    error: "address not allowed",
  })
  expect(await posted("/", ["169.254.169.254"])).toMatchObject({ error: "address not allowed" })
  expect(await posted("/", [])).toMatchObject({ error: "address not allowed" })
  expect(requests).toEqual([])
})

test("a name that resolves to another address at the next connection is checked again", async () => {
  const answers = ["127.0.0.1", "10.0.0.1"]
  const client = publicClient(
    { allow: [], loopback: true },
    { connections: 1, resolve: (_, __, done) => done(null, [{ address: answers.shift() ?? "", family: 4 }]) },
  )
  const limits = { timeoutMs: 5_000, maxBytes: 2_000, signal: new AbortController().signal }
  const request = {
    url: `http://localhost:${port}/`,
    headers: { connection: "close" },
    body: "{}",
    ...limits,
  }
  expect(await client.post(request)).toMatchObject({ status: 200 })
  server.closeAllConnections()
  expect(await client.post(request)).toMatchObject({ status: null, error: "address not allowed" })
  await client.close()
  expect(requests).toEqual(["/"])
})

test("the same name with allowed addresses is, and 2 kB of the response are kept", async () => {
  const { status, error, text } = await posted("/hook", ["127.0.0.1"])
  expect([status, error, text.length]).toEqual([200, null, 2_000])
  expect(requests).toEqual(["/hook"])
})

test("a response that breaks off counts by its status, with what has arrived until then", async () => {
  const { status, error, text, retryAfter } = await posted("/breaks-off", ["127.0.0.1"])
  expect([status, error, text, retryAfter]).toEqual([503, null, "begun", "120"])
})

test("a redirect is not followed", async () => {
  expect(await posted("/redirect", ["127.0.0.1"])).toMatchObject({ status: 302 })
  expect(requests).toEqual(["/redirect"])
})

test("outside the sandbox nothing is sent to this machine", async () => {
  expect(await posted("/", ["127.0.0.1"], false)).toMatchObject({ status: null, error: "not https" })
  expect(requests).toEqual([])
})
