import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { expect, test } from "vitest"
import { webRequest } from "./web-request.server"

function incoming(url: string): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { method: "GET", url })
}

test.each([
  ["/checkout/?plan=3", "https://shop.test/checkout/?plan=3"],
  ["//evil.test/checkout/", "https://shop.test//evil.test/checkout/"],
  ["/checkout/?%00promocode=YEAR%0015", "https://shop.test/checkout/?promocode=YEAR15"],
  ["/checkout/admin/orders/a%00b", "https://shop.test/checkout/admin/orders/a%EF%BF%BDb"],
  ["/checkout/%0%000", "https://shop.test/checkout/%0%EF%BF%BD0"],
  ["/checkout/?promocode=%0%000", "https://shop.test/checkout/?promocode=%2500"],
])("a request for %s gets a URL of the public origin", async (target, address) => {
  const { request } = await webRequest(incoming(target), "https://shop.test")
  expect(request.url).toBe(address)
})

test.each(["http://evil.test/checkout/", "com://x/checkout/", "*", "@evil.test/", ".evil.test/", ""])(
  "rejects %s, which could resolve to another host",
  async (target) => {
    await expect(webRequest(incoming(target), "https://shop.test")).rejects.toThrow("Invalid request target")
  },
)

test.each(["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])(
  "%s, which no page has, becomes a GET request that is rejected",
  async (method) => {
    const sent = Object.assign(incoming("/checkout/withdraw"), { method })
    sent.push("number=K7QM2XDT93")
    sent.push(null)
    const { request, rejection } = await webRequest(sent, "https://shop.test")
    expect([request.method, request.body, rejection]).toEqual(["GET", null, "method-not-allowed"])
  },
)

test("a form of the shop is accepted behind a proxy that names another host, with which the router would compare its origin", async () => {
  const headers = { origin: "https://shop.test", host: "10.0.0.5:3000", accept: "text/html" }
  const rawHeaders = Object.entries(headers).flat()
  const sent = Object.assign(incoming("/checkout/"), { method: "POST", rawHeaders })
  sent.headers = headers
  sent.push("plan=3")
  sent.push(null)
  const { request, rejection } = await webRequest(sent, "https://shop.test")
  expect([rejection, await request.text()]).toEqual([null, "plan=3"])
  expect(Object.fromEntries(request.headers)).toEqual({ host: "10.0.0.5:3000", accept: "text/html" })
})
