import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, expect, test } from "vitest"
import { callbackTestOf } from "~/domain/payments/callback-test"
import { postCallback } from "./post-callback.server"

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const callback = { headers: { "content-type": "application/json", "x-signature": "s" }, body: '{"a":1}' }

async function answering(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
): Promise<string> {
  const server = createServer((request, response) => answer(response, request))
  servers.push(server)
  await once(server.listen(0, "127.0.0.1"), "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/checkout/api/payments/offshore/callback`
}

const OF_SHOP = { "x-request-id": "Ab_3-56789xy" }

test("posts body and headers as they are signed, and knows an answer of the shop", async () => {
  let seen: unknown
  const url = await answering(async (response, request) => {
    const chunks = await request.toArray()
    seen = [request.method, request.url, request.headers["x-signature"], Buffer.concat(chunks).toString()]
    response.writeHead(204, OF_SHOP).end()
  })
  expect(callbackTestOf(await postCallback(url, callback)).verdict).toBe("accepted")
  expect(seen).toEqual(["POST", "/checkout/api/payments/offshore/callback", "s", '{"a":1}'])
})

test.each<[string, (response: ServerResponse) => void, string, RegExp]>([
  ["a shop with other secrets", (it) => it.writeHead(401, OF_SHOP).end(), "rejected", /401/],
  [
    "a password",
    (it) => it.writeHead(401, { "x-request-id": "req-1234" }).end("?"),
    "refused",
    /not by the shop/,
  ],
  [
    "a page",
    (it) => it.writeHead(200, { "content-type": "text/html" }).end("<h1>hi</h1>"),
    "another-program",
    /200/,
  ],
  [
    "a redirect, which is not followed, and whose query is not repeated",
    (it) => it.writeHead(301, { location: "https://www.shop.test/x?token=1" }).end(),
    "redirected",
    /to https:\/\/www\.shop\.test\/x\./,
  ],
  ["a redirect without an address", (it) => it.writeHead(302).end(), "redirected", /status 302\./],
  ["a connection that breaks", (it) => void it.destroy(), "unreachable", /connection (closed|reset)/],
])("a test callback that meets %s says so", async (_, answer, verdict, text) => {
  const found = callbackTestOf(await postCallback(await answering(answer), callback))
  expect(found).toMatchObject({ verdict, text: expect.stringMatching(text) })
})

test("an address where nothing listens, one without a certificate, and an unknown host are explained", async () => {
  const url = await answering((it) => it.end())
  const overTls = await postCallback(url.replace("http:", "https:"), callback)
  expect(callbackTestOf(overTls).verdict).toBe("certificate")
  for (const server of servers.splice(0)) await new Promise((closed) => server.close(closed))
  expect(callbackTestOf(await postCallback(url, callback)).text).toContain("connection refused")
  expect(callbackTestOf(await postCallback("http://shop.invalid/", callback)).text).toMatch(
    /unknown host|name server/,
  )
})
