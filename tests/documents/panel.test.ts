import { readFileSync } from "node:fs"
import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { z } from "zod"
import type { Service } from "~/domain/services/service"
import { LineEvent, LineMessage } from "~/provisioning/webhook/line-message"
import { webhookProvisioner } from "~/provisioning/webhook/webhook.server"
import { newLine } from "../contracts/provisioner/provisioner-contract"
import { PANEL_HOST, PANEL_SECRET, PANEL_URL } from "../fakes/panel"
import { interceptUpstreams } from "../fakes/server"

const server = interceptUpstreams()
const page = readFileSync("docs/panel.md", "utf8")

const AT = Date.UTC(2026, 10, 20, 12)
const YEAR_LATER = Date.UTC(2027, 10, 20, 12)
const line: Service = {
  ...newLine,
  id: "k3v9",
  status: "Active",
  name: "12 months",
  username: "TV23456789",
  password: "1234567890",
  connections: 2,
  proxyProtection: false,
  deviceAddress: null,
  paidUntil: YEAR_LATER,
}
const renewed: Service = { ...line, paidUntil: Date.UTC(2028, 10, 20, 12) }
const account: Service = {
  ...line,
  id: "r5t2",
  kind: "reseller",
  productId: "12",
  cycle: "monthly",
  name: "Reseller 25",
  connections: 1,
  paidUntil: null,
}
const suspended: Service = {
  ...line,
  status: "Suspended",
  paidUntil: Date.UTC(2026, 10, 17, 12),
  suspension: { owner: "non-payment", reason: null, at: AT },
}

const panel = webhookProvisioner({ url: PANEL_URL, secret: PANEL_SECRET, timeoutMs: 5_000, now: () => AT })
const examples: Record<LineEvent, () => Promise<unknown>> = {
  "line.create": () => panel.create({ ...line, status: "Pending" }),
  "line.extend": () => panel.extend(renewed),
  "line.suspend": () => panel.suspend(suspended),
  "line.resume": () => panel.resume(renewed),
  "line.terminate": () => panel.terminate({ ...line, status: "Terminated" }),
  "line.restart": () => panel.restart(line),
  "line.device": () => panel.setDeviceAddress({ ...newLine, ...line, deviceAddress: newLine.deviceAddress }),
  "line.connections": () => panel.setConnections({ ...line, connections: 3 }),
  "line.plan": () => panel.setPlan({ ...line, productId: "4", name: "Plus" }),
  "line.credits": () => panel.setCredits(account, 50),
}

test("docs/panel.md has an example of each event exactly as the shop sends it", async () => {
  const sent: unknown[] = []
  server.use(
    http.post(PANEL_URL, async ({ request }) => {
      sent.push(await request.json())
      return HttpResponse.json({ host: PANEL_HOST })
    }),
  )
  for (const event of LineEvent.options) await examples[event]()
  const shown = [...page.matchAll(/^```json\n(\{\n {2}"type"[\s\S]*?)^```/gm)].map(([, json = ""]) =>
    JSON.parse(json),
  )
  expect(shown).toEqual(sent)
  for (const message of sent) expect(LineMessage.parse(message)).toEqual(message)
})

test("docs/panel.md has a row of each member of a line", () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, name, meaning]) => [name, meaning])
  const members = Object.entries(LineMessage.shape.data.shape).map(([name, schema]) => [
    name,
    schema.meta()?.description,
  ])
  expect(rows).toEqual(members)
})

test("docs/panel-messages.schema.json is the schema of the messages", () => {
  const written = JSON.parse(readFileSync("docs/panel-messages.schema.json", "utf8"))
  expect(written).toEqual(z.toJSONSchema(LineMessage))
})
