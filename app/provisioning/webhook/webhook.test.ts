import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { newLine, provisionerContract } from "../../../tests/contracts/provisioner/provisioner-contract"
import { EMPTY_HOST, PANEL_HOST, PANEL_SECRET, PANEL_URL } from "../../../tests/fakes/panel"
import { interceptUpstreams } from "../../../tests/fakes/server"
import { webhookProvisioner } from "./webhook.server"

const server = interceptUpstreams()

const NOON = Date.UTC(2026, 10, 20, 12)
const settings = {
  url: PANEL_URL,
  secret: PANEL_SECRET,
  timeoutMs: 5_000,
  now: () => NOON,
  retryDelaysMs: [1, 1],
}
const panel = webhookProvisioner(settings)
const line = { ...newLine, host: PANEL_HOST, paidUntil: Date.UTC(2027, 10, 20, 12) }

provisionerContract("webhook", {
  provisioner: panel,
  // The panel accepts messages, but the host it returned serves nothing.
  broken: { ...panel, playlist: (it) => panel.playlist({ ...it, host: EMPTY_HOST }) },
})

test("after the clock has gone back, messages are still in the order in which they were sent", async () => {
  let now = NOON
  const shop = webhookProvisioner({ ...settings, now: () => now })
  const received = messages()
  await shop.suspend(line)
  now -= 24 * 60 * 60 * 1_000
  await shop.resume(line)
  const times = received.map(({ body }) => (body as { timestamp: string }).timestamp)
  expect(times).toEqual(["2026-11-20T12:00:00.000Z", "2026-11-20T12:00:00.000Z"])
})

test.each([
  ["create", "line.create"],
  ["terminate", "line.terminate"],
  ["extend", "line.extend"],
  ["suspend", "line.suspend"],
  ["resume", "line.resume"],
  ["restart", "line.restart"],
  ["setDeviceAddress", "line.device"],
  ["setConnections", "line.connections"],
] as const)("%s sends the event %s with the full data of the line", async (what, type) => {
  const received = messages()
  await panel[what](line)
  expect(received).toEqual([
    {
      id: expect.stringMatching(/^msg_[\w-]+$/),
      key: received[0]?.id,
      at: "1795176000",
      body: {
        type,
        timestamp: "2026-11-20T12:00:00.000Z",
        data: {
          id: "41",
          kind: "plan",
          productId: "3",
          cycle: "annually",
          paidUntil: "2027-11-20T12:00:00.000Z",
          suspendedBy: null,
          username: "TV23456789",
          password: "12/34 56&7",
          name: "12 months",
          connections: 2,
          proxyProtection: true,
          deviceAddress: "00:1A:79:00:00:07",
        },
      },
    },
  ])
})

test("a panel with another secret rejects the signature with 401", async () => {
  const otherSecret = "whsec_c29tZWJvZHktZWxzZS1hbHRvZ2V0aGVyLTMyLWJ5dGVzIQ=="
  const failure = webhookProvisioner({ ...settings, secret: otherSecret }).create(line)
  await expect(failure).rejects.toThrow("line.create: the panel rejected the call, 401")
})

test("creating a line again reuses the message id, creating it with new credentials does not", async () => {
  const received = messages()
  await panel.create(line)
  await panel.create(line)
  await panel.create({ ...line, password: "another" })
  const [first, again, retriedSignature] = received.map(({ id }) => id)
  expect([again === first, retriedSignature === first]).toEqual([true, false])
})

test("the message id depends on the secret, so it does not reveal the password", async () => {
  const received = messages()
  const other = webhookProvisioner({
    ...settings,
    secret: `whsec_${btoa("another secret of 32 bytes again")}`,
  })
  await panel.create(line)
  await other.create(line)
  expect(received[0]?.id).not.toBe(received[1]?.id)
})

test("setCredits sends how many credits the account was sold in all, which no other event has", async () => {
  const received = messages()
  const account = { ...line, kind: "reseller" as const }
  await panel.setCredits(account, 50)
  await panel.extend(account)
  const bodies = received.map(({ body }) => body)
  expect(bodies).toMatchObject([
    { type: "line.credits", data: { id: "41", kind: "reseller", credits: 50 } },
    { type: "line.extend", data: { id: "41" } },
  ])
  expect(JSON.stringify(bodies).match(/"credits"/g)).toHaveLength(1)
})

test.each(["extend", "suspend", "resume", "restart", "setDeviceAddress", "setConnections"] as const)(
  "calling %s twice sends two message ids, so that a change and its reversal both apply",
  async (what) => {
    const received = messages()
    await panel[what](line)
    await panel[what](line)
    expect(received[0]?.id).not.toBe(received[1]?.id)
  },
)

test("retries a message under the same id after a 5xx", async () => {
  const received = messages([503, 502])
  await panel.restart(line)
  expect(new Set(received.map(({ id }) => id)).size).toBe(1)
  expect(received).toHaveLength(3)
})

test.each([404, 410])(
  "a line unknown to the panel (%i) is terminated or suspended already",
  async (status) => {
    server.use(http.post(PANEL_URL, () => new HttpResponse(null, { status })))
    await expect(panel.terminate(line)).resolves.toBeUndefined()
    await expect(panel.suspend(line)).resolves.toBeUndefined()
    for (const what of ["restart", "extend", "resume"] as const) {
      const rejected = `line.${what}: the panel rejected the call, ${status}`
      await expect(panel[what](line)).rejects.toThrow(rejected)
    }
  },
)

test("a suspended line says who suspended it, and not why", async () => {
  const received = messages()
  const reason = "chargeback of a stolen card"
  await panel.suspend({ ...line, status: "Suspended", suspension: { owner: "fraud", reason, at: NOON } })
  expect(received[0]?.body).toMatchObject({ type: "line.suspend", data: { suspendedBy: "fraud" } })
  expect(JSON.stringify(received)).not.toContain(reason)
})

test.each([
  ["https://tv.test:8080/", "https://tv.test:8080"],
  ["https://tv.test/sub/path/", "https://tv.test/sub/path"],
  ["http://tv.test/player_api.php?username=a&password=b", "http://tv.test"],
  ["https://tv.test/sub/get.php?username=a#top", "https://tv.test/sub"],
])("normalizes the host %s to %s", async (text, host) => {
  server.use(http.post(PANEL_URL, () => HttpResponse.json({ host: text })))
  expect(await panel.create(line)).toEqual({ host })
})

test.each([{}, { host: "tv.test" }, { host: "ftp://tv.test" }, { host: "javascript:alert(1)" }, { host: 7 }])(
  "rejects a create response of %j without a valid host",
  async (body) => {
    server.use(http.post(PANEL_URL, () => HttpResponse.json(body)))
    await expect(panel.create(line)).rejects.toThrow(
      /^line\.create: the panel sent an invalid response, ✖ .*\n.*host/,
    )
  },
)

test("builds the panel's playlist URL with encoded credentials", () => {
  expect(panel.playlistAddress(line)).toBe(
    "https://tv.test/xtream/get.php?username=TV23456789&password=12%2F34%2056%267&type=m3u_plus&output=m3u8",
  )
})

test("rejects an invalid secret at start-up", () => {
  expect(() => webhookProvisioner({ ...settings, secret: "whsec_" })).toThrow()
})

type ReceivedMessage = { id: string | null; key: string | null; at: string | null; body: unknown }

/** Messages received by the panel. It responds with the statuses in order, then with success. */
function messages(statuses: number[] = []): ReceivedMessage[] {
  const received: ReceivedMessage[] = []
  server.use(
    http.post(PANEL_URL, async ({ request }) => {
      const [id, key, at] = ["webhook-id", "idempotency-key", "webhook-timestamp"].map((it) =>
        request.headers.get(it),
      )
      received.push({ id: id ?? null, key: key ?? null, at: at ?? null, body: await request.json() })
      const status = statuses.shift() ?? 200
      return HttpResponse.json({ host: PANEL_HOST }, { status })
    }),
  )
  return received
}
