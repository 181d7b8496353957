import { createServer } from "node:http"
import { Webhook } from "standardwebhooks"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"
import { freePort } from "../../../../tests/support/server/free-port"

let cli: CommandLine
let port: number
beforeEach(async () => {
  cli = await openCommandLine("nobody")
  port = await freePort()
})
afterEach(() => cli.close())

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
const body = '{"type":"order.paid"}'

/** Sends a message signed by a secret; returns the status of the answer. */
async function send(by: string, content = body): Promise<number> {
  const at = new Date()
  const headers = {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(by).sign("evt_1", at, content),
  }
  return (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body: content })).status
}

/** Runs the command until it has printed this many messages. */
function listening(typed: string, messages: number) {
  const isEnough = (written: string) => written.split("\n").length > messages + 1
  return cli.command(`webhooks listen ${port}`, typed, {}, isEnough)
}

test("webhooks listen prints each event, says whether it is verified, and refuses a wrong signature", async () => {
  const running = listening(secret, 2)
  await expect.poll(() => cli.written()).toContain("Listening")
  expect(await send(secret)).toBe(204)
  expect(await send(`whsec_${Buffer.alloc(32, 8).toString("base64")}`)).toBe(401)
  expect(await running).toEqual({ exitCode: 0, output: "2 received." })
  expect(cli.written().split("\n").slice(1)).toEqual([`verified  ${body}`, `INVALID  ${body}`, ""])
})

test("without a secret webhooks listen verifies nothing, and says so", async () => {
  const running = listening("", 1)
  await expect.poll(() => cli.written()).toContain("Listening")
  expect(await send(secret)).toBe(204)
  await running
  expect(cli.written()).toContain(`not verified  ${body}`)
})

test("webhooks listen says in one line that its port is taken", async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve))
  const { exitCode, output } = await cli.command(`webhooks listen ${port}`, secret)
  other.close()
  expect([exitCode, output]).toEqual([1, `Cannot listen on port ${port}: another program listens there.`])
})

test.each([
  ["http", "", 'Invalid port "http".'],
  ["70000", "", 'Invalid port "70000".'],
])("webhooks listen refuses the port %s", async (typedPort, typed, reason) => {
  const { exitCode, output } = await cli.command(`webhooks listen ${typedPort}`, typed)
  expect([exitCode, output]).toEqual([2, expect.stringContaining(reason)])
})

test("webhooks listen refuses what is no secret, without repeating it", async () => {
  const { exitCode, output } = await cli.command(`webhooks listen ${port}`, "hunter2")
  expect([exitCode, output]).toEqual([1, "That is not a secret of Standard Webhooks (whsec_…)."])
})
