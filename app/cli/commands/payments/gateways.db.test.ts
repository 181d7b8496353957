import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, beforeEach, expect, test } from "vitest"
import { money } from "~/domain/money/money"
import { NOON, opened, paymentUpdate, placed } from "../../../../tests/contracts/billing/billing-fixtures"
import { OFFSHORE_SECRET } from "../../../../tests/fakes/offshore"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"

let line: CommandLine
beforeEach(async () => {
  line = await openCommandLine()
})
afterEach(() => line.close())

test("gateways shows the role, host, reachability and forged-callback check of each gateway", async () => {
  const { output } = await line.command("gateways check", "", { DRAINED_GATEWAYS: "btcpay" })
  const [offshore = "", coinbase = "", cryptomus = "", btcpay = ""] = output.split("\n\n")
  expect(offshore).toMatch(/^offshore {2}offered {2}http:/)
  expect(btcpay).toMatch(/^btcpay {2}drained {2}http:/)
  for (const text of [offshore, coinbase, cryptomus, btcpay]) {
    expect(text).toMatch(/reachable +UNREACHABLE: .+ got no response: .*ECONNREFUSED/)
    expect(text).toContain("forged callback              rejected (ok)")
    expect(text).toMatch(/last update +none/)
  }
})

test("gateways reports a gateway that does not support polling", async () => {
  const { output } = await line.command("gateways check", "", { OFFSHORE_MODE: "link", GATEWAYS: "offshore" })
  expect(output).toContain("not supported, callbacks only")
})

test("gateways shows the last update and the rejected callbacks of the last 7 days", async () => {
  const { backend } = line
  const paid = await opened(backend, await placed(backend))
  await opened(backend, await placed(backend))
  await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(paid, "paid", 2_000), NOON)
  await backend.payments.recordRejectedCallback(
    "offshore",
    "no signature",
    new Date().toISOString().slice(0, 10),
  )
  await backend.payments.recordRejectedCallback("offshore", "no signature", "2999-01-01")
  const { output } = await line.command("gateways check", "", { GATEWAYS: "offshore" })
  expect(output).toContain("last update                  2026-06-15 12:00")
  expect(output).toMatch(/rejected in the last 7 days {2}\d × no signature/)
})

test.each([
  [503, "", /^UNREACHABLE: .* answered 503$/],
  [
    200,
    "<html>Maintenance</html>",
    /^INVALID RESPONSE, check its address and keys: .* did not respond with JSON/,
  ],
])("a gateway that answers %i with %j is reported with the reason", async (status, body, reason) => {
  const provider = createServer((_, response) => response.writeHead(status).end(body))
  await once(provider.listen(0, "127.0.0.1"), "listening")
  const { port } = provider.address() as AddressInfo
  const account = { OFFSHORE_URL: `http://127.0.0.1:${port}`, OFFSHORE_CALLBACK_SECRET: OFFSHORE_SECRET }
  const { output } = await line.command("gateways check --json", "", { ...account, GATEWAYS: "offshore" })
  expect(JSON.parse(output).gateways[0].reachable.message).toMatch(reason)
  provider.close()
})

test("gateways and doctor report a rejected API key, and doctor exits with 1", async () => {
  const provider = createServer((_, response) => response.writeHead(401).end("{}"))
  await once(provider.listen(0, "127.0.0.1"), "listening")
  const { port } = provider.address() as AddressInfo
  const account = {
    GATEWAYS: "offshore",
    OFFSHORE_URL: `http://127.0.0.1:${port}`,
    OFFSHORE_CALLBACK_SECRET: OFFSHORE_SECRET,
  }
  const { exitCode, output } = await line.command("gateways check", "", account)
  expect([exitCode, output]).toEqual([0, expect.stringMatching(/reachable +API KEY REJECTED/)])
  expect(await line.command("doctor", "", account)).toMatchObject({
    exitCode: 1,
    output: expect.stringMatching(/FAIL {2}gateway offshore +API KEY REJECTED/),
  })
  provider.close()
})

test("doctor and order show signed payment updates that could not be applied", async () => {
  const { backend } = line
  const order = await placed(backend)
  const attempt = await opened(backend, order)
  const report = { gateway: "offshore", reason: "currency-mismatch", attemptId: attempt.id } as const
  await backend.payments.recordUnapplied({ ...report, eventKey: "e1", detail: "paid 20.00 USD" }, NOON)
  const named = `order ${order.id} (offshore, currency-mismatch: paid 20.00 USD)`
  expect((await line.command("doctor")).output).toContain(`1 not applied in the last 30 days: ${named}`)
  const { output } = await line.command(`orders show ${order.id}`)
  expect(output).toContain("Payment updates not applied\n  2026-06-15 12:00")
  expect(output).toContain("1 ×  offshore  currency-mismatch  paid 20.00 USD")
})

test("doctor lists orders whose refunds or partial payments an older version did not record", async () => {
  const { backend } = line
  const [refunded, short, valid] = [await placed(backend), await placed(backend), await placed(backend)]
  const attempts = [
    await opened(backend, refunded),
    await opened(backend, short),
    await opened(backend, valid),
  ]
  const [first, second, third] = attempts
  if (!first || !second || !third) throw new Error("not opened")
  for (const attempt of [first, third])
    await backend.payments.recordPaymentUpdate("offshore", paymentUpdate(attempt, "paid", 2_000), NOON)
  await backend.payments.recordPaymentUpdate(
    "offshore",
    { ...paymentUpdate(third, "refunded", 2_000), refunded: money(500, "EUR") },
    NOON,
  )
  await backend.payments.recordPaymentUpdate(
    "offshore",
    { ...paymentUpdate(second, "expired", 0), eventKey: "x:wrong_amount:0.00" },
    NOON,
  )
  // Changes the rows to those of an older version, which recorded neither refunds nor received amounts.
  line.spoil(`update payment_attempts set status = 'refunded' where id = '${first.id}'`)
  line.spoil("update gateway_events set gateway = 'cryptomusgateway' where event_key = 'x:wrong_amount:0.00'")
  line.spoil(`update payment_attempts set gateway = 'cryptomusgateway' where id = '${second.id}'`)
  const { exitCode, output } = await line.command("doctor")
  expect(exitCode).toBe(1)
  expect(output).toContain(`orders ${refunded.id} have a refund at their gateway`)
  expect(output).toContain(`orders ${short.id} have a partial payment without a recorded amount`)
})

test("gateways rejected-callbacks lists them by day, gateway and reason, and refuses a wrong day or gateway", async () => {
  for (const day of ["2026-06-14", "2026-06-15", "2026-06-15"])
    await line.backend.payments.recordRejectedCallback("offshore", "signature", day)
  expect(JSON.parse((await line.command("gateways rejected-callbacks --json")).output)).toEqual({
    rejected: [
      { gateway: "offshore", day: "2026-06-15", reason: "signature", count: 2 },
      { gateway: "offshore", day: "2026-06-14", reason: "signature", count: 1 },
    ],
    stored: [],
    since: "2026-05-16",
    isCut: false,
  })
  const { output } = await line.command("gateways rejected-callbacks --gateway coinbase --from 2026-06-01")
  expect(output).toBe("No callback was rejected since 2026-06-01.")
  for (const wrong of ["--gateway odd", "--from yesterday"])
    expect((await line.command(`gateways rejected-callbacks ${wrong}`)).exitCode).toBe(2)
})

test("gateways show-rejected-callback shows what was sent, without control characters", async () => {
  const body = Buffer.from('{"a":"\u001b[2J"}')
  const sent = { address: "192.0.2.7", headers: [["a", "b"]], body, at: NOON } as const
  await line.backend.payments.recordRejectedCallback("offshore", "signature", "2026-06-15", sent)
  const list = JSON.parse((await line.command("gateways rejected-callbacks --json")).output)
  const [{ id }] = list.stored
  const about = { id, at: "2026-06-15T12:00:00.000Z", gateway: "offshore", reason: "signature" }
  expect(list.stored).toEqual([{ ...about, address: "192.0.2.7", size: 12 }])
  const shown = (await line.command(`gateways show-rejected-callback ${id}`)).output
  expect(shown).toContain('a: b\n\n{"a":"\\u001b[2J"}')
  const json = JSON.parse((await line.command(`gateways show-rejected-callback ${id} --json`)).output)
  expect(json).toEqual({
    ...about,
    address: "192.0.2.7",
    size: 12,
    headers: [["a", "b"]],
    body: body.toString("base64"),
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(await line.command("gateways show-rejected-callback none")).toEqual({
    exitCode: 1,
    output: 'Rejected callback "none" not found: it is not stored, or no longer.',
  })
})

test("gateways drain takes a gateway out of the offer and gateways offer returns it, but never the last one", async () => {
  const gateways = { GATEWAYS: "offshore-coinbase" }
  const change = (command: string) => line.command(`gateways ${command} --reason outage`, "", gateways)
  expect((await change("drain coinbase")).output).toContain("coinbase is drained since")
  expect((await line.command("gateways check", "", gateways)).output).toMatch(/coinbase {2}drained/)
  const last = await change("drain offshore")
  expect([last.exitCode, last.output]).toEqual([1, expect.stringContaining("only gateway that is offered")])
  expect((await change("offer coinbase")).output).toContain("coinbase is not drained")
  expect((await change("drain paypal")).exitCode).toBe(1)
})
