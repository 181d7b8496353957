import pino from "pino"
import { RouterContextProvider } from "react-router"
import { expect, test } from "vitest"
import { requestContext } from "~/context/request.server"
import { servicesContext } from "~/context/services.server"
import { type RawCallback, UntrustedCallbackError } from "~/gateways/gateway"
import { NOON, openTestShop } from "../../../tests/fixtures/test-shop"
import { action } from "./payment-callback"

test("passes the raw body, time and client address of a callback to the gateway", async () => {
  const { status, seen } = await call("offshore", () => null)
  expect(status).toBe(204)
  expect(seen).toMatchObject([{ at: NOON, address: "91.227.144.54", body: Buffer.from('{"paid":true}') }])
})

test("rejects an untrusted callback without a reason in the body", async () => {
  const refuse = () => {
    throw new UntrustedCallbackError("from another address")
  }
  expect(await call("offshore", refuse)).toMatchObject({ status: 401, expected: "" })
})

async function call(gatewayId: string, read: () => null) {
  const shop = await openTestShop()
  const seen: RawCallback[] = []
  const gateway = {
    ...shop.gateway.gateway,
    parseCallback(callback: RawCallback) {
      seen.push(callback)
      return read()
    },
  }
  const context = new RouterContextProvider()
  context.set(servicesContext, { ...shop.services, gateways: new Map([[gateway.id, gateway]]) })
  const current = { id: "r1", at: NOON, address: "91.227.144.54", nonce: "n", rejection: null }
  context.set(requestContext, { ...current, log: pino({ level: "silent" }) })
  const url = new URL(`https://shop.test/checkout/api/payments/${gatewayId}/callback`)
  const response = await action({
    request: new Request(url, { method: "POST", body: '{"paid":true}' }),
    url,
    context,
    params: { gateway: gatewayId },
    pattern: "/api/payments/:gateway/callback",
  })
  await shop.billing.close()
  return { status: response.status, expected: await response.text(), seen }
}
