import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type CommandLine, openCommandLine } from "../../../../tests/fixtures/admin-cli"

let cli: CommandLine
beforeEach(async () => {
  cli = await openCommandLine()
})
afterEach(() => cli.close())

async function added(url = "https://crm.example.com/hooks?key=hidden", options = "") {
  const { output } = await cli.command(`webhooks add ${url} ${options} --json`.replace("  ", " "))
  return JSON.parse(output) as { webhook: string; secret: string }
}

test("the secret of an endpoint is shown once, and stored encrypted", async () => {
  const { webhook, secret } = await added()
  expect(() => new Webhook(secret)).not.toThrow()
  const shown = await Promise.all(["webhooks list", `webhooks show ${webhook}`].map((it) => cli.command(it)))
  for (const { output } of shown) expect(output).not.toContain(secret.slice(6))
  const stored = await cli.backend.webhooks.endpoint(webhook)
  expect(stored?.sealedSecret).not.toContain(secret.slice(6))
})

test("what changes an endpoint is in the audit log, without secret and without the path of its URL", async () => {
  const { webhook, secret } = await added()
  for (const line of [
    `webhooks edit ${webhook} --types order.*`,
    `webhooks pause ${webhook}`,
    `webhooks resume ${webhook}`,
    `webhooks rotate-secret ${webhook}`,
    `webhooks remove ${webhook}`,
  ])
    expect((await cli.command(line)).exitCode).toBe(0)
  const { output } = await cli.command("audit list --json")
  for (const action of [
    "add-webhook",
    "edit-webhook",
    "pause-webhook",
    "resume-webhook",
    "rotate-webhook-secret",
    "remove-webhook",
  ])
    expect(output).toContain(action)
  expect(output).not.toContain("hidden")
  expect(output).not.toContain(secret.slice(6))
  expect((await cli.command(`webhooks show ${webhook}`)).exitCode).toBe(1)
})

test.each([
  ["http://crm.example.com/", "must begin with https://"],
  ["https://10.0.0.1/", "not public"],
  ["https://me:pw@crm.example.com/", "user name or password"],
  ["crm.example.com", "not a URL"],
])("the URL %s is refused: %s", async (url, reason) => {
  const { exitCode, output } = await cli.command(`webhooks add ${url}`)
  expect([exitCode, output]).toEqual([2, expect.stringContaining(reason)])
})

test("WEBHOOK_ALLOW allows a network of the operator's", async () => {
  const changes = { WEBHOOK_ALLOW: "10.0.0.0/8" }
  expect((await cli.command("webhooks add https://10.0.0.1/", "", changes)).exitCode).toBe(0)
})

test("a misspelt type is refused", async () => {
  const { exitCode, output } = await cli.command("webhooks add https://crm.example.com/ --types order.payed")
  expect([exitCode, output]).toEqual([2, expect.stringContaining("order.paid")])
})

test("a public shop without OPERATOR_SECRETS is told what is missing", async () => {
  const changes = {
    PUBLIC_URL: "https://shop.example.com",
    SANDBOX: "on",
    SANDBOX_PUBLIC_URL: "https://sandbox.example.com",
  }
  const { exitCode, output } = await cli.command("webhooks add https://crm.example.com/", "", changes)
  expect([exitCode, output]).toEqual([1, expect.stringContaining("OPERATOR_SECRETS is required")])
})

test("a test message arrives signed, and what the receiver answers is shown with control characters escaped", async () => {
  const requests: { body: string; headers: Record<string, string> }[] = []
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request) body += chunk
    requests.push({ body, headers: request.headers as Record<string, string> })
    response.writeHead(500).end("oops \u001b[2J")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { webhook, secret } = await added(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const { exitCode, output } = await cli.command(`webhooks test ${webhook}`)
  server.closeAllConnections()
  server.close()
  expect([exitCode, output]).toEqual([1, "Not delivered: status 500.\noops \\u001b[2J"])
  const [got] = requests
  expect(new Webhook(secret).verify(got?.body ?? "", got?.headers ?? {})).toMatchObject({
    type: "webhook.test",
  })
})

test("redelivery names an event or a time", async () => {
  const { webhook } = await added()
  await cli.backend.webhooks.recordGateway("offshore", true, Date.UTC(2026, 5, 15, 11))
  await cli.backend.webhooks.publish(10)
  const { output } = await cli.command(`webhooks redeliver ${webhook} --from 2026-06-15 --json`)
  expect(JSON.parse(output)).toMatchObject({ due: 1 })
  const listed = await cli.command(`webhooks deliveries ${webhook}`)
  expect(listed.output).toMatch(/gateway\.down {2}waiting {2}0 tries/)
  expect((await cli.command(`webhooks redeliver ${webhook}`)).exitCode).toBe(2)
  expect((await cli.command(`webhooks redeliver ${webhook} --from yesterday`)).exitCode).toBe(2)
  expect((await cli.command(`webhooks redeliver ${webhook} --event evt_none`)).exitCode).toBe(1)
})
