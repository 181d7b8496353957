import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, beforeEach, expect, test } from "vitest"
import { readConfig } from "~/config/config.server"
import type { RawCallback } from "~/gateways/gateway"
import { gatewaysOf } from "~/wiring/gateways.server"
import { NOON, opened, placed } from "../../../../tests/contracts/billing/billing-fixtures"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"
import { freePort } from "../../../../tests/support/server/free-port"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

test.each([
  ["orders resend-callback NOSUCH", 'Payment of order "NOSUCH" not found.'],
  [
    "gateways test-callback piggybank",
    'Unknown gateway "piggybank". Valid: offshore, coinbase, cryptomusgateway, btcpay.',
  ],
  [
    "gateways drain piggybank --reason fees",
    'Unknown gateway "piggybank". Valid: offshore, coinbase, cryptomusgateway, btcpay.',
  ],
  [
    "gateways request-callback offshore",
    'Cannot request a callback from offshore: not supported. Use "orders poll NUMBER".',
  ],
  ["gateways request-callback cryptomusgateway", "Cannot request a callback: gateway unreachable."],
])("%s fails with an error message", async (command, output) => {
  expect(await line.command(command)).toEqual({ exitCode: 1, output })
})

test("resend-callback rejects a gateway without support for it", async () => {
  const order = await placed(line.backend)
  await opened(line.backend, order)
  expect((await line.command(`orders resend-callback ${order.id}`)).output).toMatch(
    /^Cannot request a callback from offshore: not supported/,
  )
})

test.each(["offshore", "coinbase", "cryptomusgateway", "btcpay"] as const)(
  "test-callback of %s reaches the shop's callback address with a signature that the gateway accepts, and is in the audit log",
  async (id) => {
    const received: RawCallback[] = []
    const server = createServer(async (request, response) => {
      const headers = new Headers(request.headers as Record<string, string>)
      received.push({ headers, body: Buffer.concat(await request.toArray()), at: NOON, address: null })
      response.writeHead(request.url === `/checkout/api/payments/${id}/callback` ? 204 : 404, {
        "x-request-id": "Ab_3-56789xy",
      })
      response.end()
    })
    await once(server.listen(0, "127.0.0.1"), "listening")
    const { port } = server.address() as AddressInfo
    const here = { PUBLIC_URL: `http://127.0.0.1:${port}` }
    const { exitCode, output } = await line.command(
      `gateways test-callback ${id} --reason asked --json`,
      "",
      here,
    )
    const text = "Reached. The shop has accepted the signature."
    expect([exitCode, JSON.parse(output)]).toEqual([
      0,
      {
        gateway: id,
        callbackUrl: `${here.PUBLIC_URL}/checkout/api/payments/${id}/callback`,
        verdict: "accepted",
        status: 204,
        text,
      },
    ])
    const gateway = gatewaysOf(readConfig({ PUBLIC_URL: here.PUBLIC_URL, DATA_DIR: line.folder }), {
      externalGateways: null,
      now: () => NOON,
    }).get(id)
    expect(received.map((it) => gateway?.parseCallback(it))).toEqual([null])
    expect((await line.command("audit list --action test-callback")).output).toContain(`gateway ${id}`)
    await new Promise((closed) => server.close(closed))
  },
)

test("test-callback fails where nothing answers, and says what that means", async () => {
  const nowhere = { PUBLIC_URL: `http://127.0.0.1:${await freePort()}` }
  const { exitCode, output } = await line.command("gateways test-callback offshore", "", nowhere)
  expect([exitCode, output]).toEqual([
    1,
    expect.stringMatching(/Not reachable from the shop itself: connection refused\. Many networks/),
  ])
})
