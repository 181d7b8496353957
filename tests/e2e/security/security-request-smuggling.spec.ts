import { expect } from "playwright/test"
import { showsInsides, tally } from "../../support/attacks/attack-inputs"
import { rawResponses } from "../../support/http/raw-socket"
import { test } from "../shop-test"
import type { TestServer } from "../start-shop"

let shop: TestServer
test.beforeAll(async ({ sharedShop }) => {
  shop = await sharedShop()
})

const get = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, "host: x", ...headers, "connection: close", "", ""].join("\r\n")
const post = (...headers: string[]) =>
  ["POST /checkout/ HTTP/1.1", "host: x", ...headers, "", ""].join("\r\n")
/** Requested only if the shop parses a body as a request of its own. */
const hidden = get("/checkout/smuggled")
const length = (text: string) => `content-length: ${text.length}`

const smuggled: Readonly<Record<string, string>> = {
  "Content-Length and chunked": `${post(length(`0\r\n\r\n${hidden}`), "transfer-encoding: chunked")}0\r\n\r\n${hidden}`,
  "chunked, then Content-Length": `${post("transfer-encoding: chunked", "content-length: 5")}0\r\n\r\n${hidden}`,
  "two lengths": `${post("content-length: 0", length(hidden))}${hidden}`,
  "a list of lengths": `${post(`content-length: 0, ${hidden.length}`)}${hidden}`,
  "a length with a sign": `${post(`content-length: +${hidden.length}`)}${hidden}`,
  "a length in hexadecimal": `${post("content-length: 0x10")}${hidden}`,
  "a space before the colon": `${post(`content-length : ${hidden.length}`)}${hidden}`,
  "unknown chunks": `${post("transfer-encoding: xchunked", length(hidden))}${hidden}`,
  "chunks twice": `${post("transfer-encoding: chunked, chunked")}${hidden}`,
  "chunks on a folded line": `${post("transfer-encoding:\r\n chunked")}0\r\n\r\n${hidden}`,
  "a chunk with a sign": `${post("transfer-encoding: chunked")}-1\r\n${hidden}`,
  "a chunk without end": `${post("transfer-encoding: chunked")}fffffffffffffffff\r\n${hidden}`,
  "a chunk that ends by a line feed": `${post("transfer-encoding: chunked")}1\nA\n0\n\n${hidden}`,
  "a body that is a request": `${post(length(hidden), "connection: close")}${hidden}`,
}

const odd: Readonly<Record<string, string>> = {
  "a URL with another host": get("http://evil.test/checkout/"),
  "a URL with a user name and another host": get("http://shop@evil.test/checkout/"),
  "an invalid URL": get("//:@/"),
  "an unknown scheme": get("javascript:alert(1)"),
  "a star": "OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
  "a tunnel": "CONNECT evil.test:443 HTTP/1.1\r\nhost: evil.test:443\r\n\r\n",
  "a trace": "TRACE /checkout/ HTTP/1.1\r\nhost: x\r\ncookie: checkout=traced\r\nconnection: close\r\n\r\n",
  "an unknown method": "HACK /checkout/ HTTP/1.1\r\nhost: x\r\n\r\n",
  "another protocol": get("/checkout/", "upgrade: h2c", "http2-settings: AAMAAABk"),
  "a WebSocket upgrade": get("/checkout/", "upgrade: websocket", "sec-websocket-version: 13"),
  "HTTP/2 without upgrade": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "HTTP/0.9": "GET /checkout/\r\n",
  "HTTP/9.9": "GET /checkout/ HTTP/9.9\r\nhost: x\r\n\r\n",
  "no host": "GET /checkout/ HTTP/1.1\r\n\r\n",
  "two hosts": get("/checkout/", "host: evil.test"),
  "a NUL in a header": get("/checkout/", "x-a: \0"),
  "a NUL in the URL": get("/checkout/\0"),
  "a line feed in a header": get("/checkout/", "x-a: b\nx-injected: yes"),
  "a carriage return in a header": get("/checkout/", "x-a: b\rx-injected: yes"),
  "a header without name": get("/checkout/", ": x"),
  "two thousand headers": get("/checkout/", ...Array.from({ length: 2_000 }, (_, at) => `x${at}: 1`)),
  "a header of a megabyte": get("/checkout/", `x-a: ${"a".repeat(1_000_000)}`),
  "a URL of 30 kB": get(`/checkout/?${"a".repeat(30_000)}`),
  "a TLS handshake": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "an expectation": get("/checkout/", "expect: 200-maybe"),
}

/** What is wrong with the responses on one connection; null if nothing. */
function wrongIn(response: string): string | null {
  const statuses = [...response.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status))
  const failed = statuses.find((it) => it >= 500 && it !== 501 && it !== 505)
  if (failed) return `status ${failed}`
  if (/evil\.test|x-injected|traced/i.test(response)) return "repeats it"
  return showsInsides(response)
}

test("no body or header is parsed as another request", async () => {
  const linesBefore = shop.logLines().length
  const linesSince = () => shop.logLines().slice(linesBefore)
  const { count, conclude } = tally("malformed requests")
  const attacks = Object.entries({ ...smuggled, ...odd })
  // Concurrently, each on its own connection: some connections stay open until the timeout of three seconds.
  await Promise.all(
    attacks.map(async ([what, sent]) => count(what, wrongIn(await rawResponses(shop.url, sent, 3_000)))),
  )
  expect(await rawResponses(shop.url, get("/checkout/"))).toContain("200 OK")
  expect(await rawResponses(shop.url, hidden)).toContain("404 Not Found")
  const heard = () => linesSince().filter(({ path }) => path === "/checkout/smuggled").length
  await expect.poll(heard).toBe(1)
  expect(linesSince().filter(({ level }) => Number(level) >= 50)).toEqual([])
  conclude()
})
