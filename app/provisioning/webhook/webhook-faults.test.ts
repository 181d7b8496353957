import { text } from "node:stream/consumers"
import { delay, HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { ProvisioningError } from "~/provisioning/provisioner"
import { allMessages, newLine } from "../../../tests/contracts/provisioner/provisioner-contract"
import { PANEL_HOST, PANEL_SECRET, PANEL_URL } from "../../../tests/fakes/panel"
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
const line = { ...newLine, host: PANEL_HOST }
const messages = [
  "create",
  "extend",
  "suspend",
  "resume",
  "terminate",
  "restart",
  "setDeviceAddress",
  "setConnections",
] as const

test.each([
  [
    "a 422 response",
    () => HttpResponse.json({ error: line.password }, { status: 422 }),
    "rejected the call, 422",
  ],
  ["a 408 response", () => new HttpResponse(null, { status: 408 }), "is unavailable, 408"],
  ["a 425 response", () => new HttpResponse(null, { status: 425 }), "is unavailable, 425"],
  ["a 429 response", () => new HttpResponse(null, { status: 429 }), "is unavailable, 429"],
  ["a 500 response", () => new HttpResponse(null, { status: 500 }), "is unavailable, 500"],
  ["a broken connection", () => HttpResponse.error(), "is unavailable"],
  ["a truncated body", () => cutOff(line.password), "is unavailable"],
  ["a page", () => HttpResponse.html(`<h1>${line.password}</h1>`), "sent an invalid response"],
  ["credentials and no JSON", () => new HttpResponse(line.password), "sent an invalid response"],
  ["nothing", () => new HttpResponse(null, { status: 204 }), "sent an invalid response"],
  ["a JSON array", () => HttpResponse.json([line.password]), "sent an invalid response, ✖ "],
  [
    "a redirect",
    () => new HttpResponse(null, { status: 302, headers: { location: "/" } }),
    "sent an invalid response, 302",
  ],
])("rejects %s with an error without credentials; a refusal is a 4xx", async (_, respond, message) => {
  server.use(http.post(PANEL_URL, respond))
  for (const what of messages) {
    const failure = await panel[what](line).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ProvisioningError)
    expect(failure).toMatchObject({
      message: expect.stringContaining(`: the panel ${message}`),
      isRefusal: message.startsWith("rejected"),
    })
    expect(allMessages(failure)).not.toMatch(/TV23456789|12\/34|whsec_/)
  }
})

test.each([408, 425, 429])("repeats a call after a %i response, which is no refusal", async (status) => {
  server.use(http.post(PANEL_URL, () => new HttpResponse(null, { status }), { once: true }))
  expect(await panel.create(line)).toEqual({ host: PANEL_HOST })
})

test("tells how long the panel asks to be left alone, and does not call again before", async () => {
  let calls = 0
  server.use(
    http.post(PANEL_URL, () => {
      calls += 1
      return new HttpResponse(null, { status: 429, headers: { "retry-after": "1200" } })
    }),
  )
  await expect(panel.create(line)).rejects.toMatchObject({
    isRefusal: false,
    retryAfterMs: expect.closeTo(1_200_000, -4),
  })
  expect(calls).toBe(1)
})

test.each([
  ["an empty body", () => new HttpResponse(""), "sent an invalid response"],
  ["a page", () => HttpResponse.html("<h1>12/34 56&7</h1>"), "sent an invalid response"],
  [
    "a 401 response",
    () => HttpResponse.json({ error: "Unauthorized" }, { status: 401 }),
    "rejected the call, 401",
  ],
  [
    "a redirect",
    () => new HttpResponse(null, { status: 301, headers: { location: "/x" } }),
    "sent an invalid response, 301",
  ],
  ["a broken connection", () => HttpResponse.error(), "is unavailable"],
])("rejects %s as a channel list with an error without credentials", async (_, respond, message) => {
  server.use(http.get(`${PANEL_HOST}/get.php`, respond))
  const failure = await panel.playlist(line).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ProvisioningError)
  expect(failure).toMatchObject({ message: expect.stringContaining(`playlist: the panel ${message}`) })
  expect(allMessages(failure)).not.toMatch(/TV23456789|12(%2F|\/)34/)
})

test.each([
  ["breaks off", () => cutOff("#EXTM3U\n"), "is unavailable"],
  [
    "exceeds the maximum size",
    () => new HttpResponse(`#EXTM3U\n${" ".repeat(32 * 1024 * 1024)}`),
    "sent an invalid response",
  ],
])("a channel list that %s fails with an error without credentials", async (_, respond, message) => {
  server.use(http.get(`${PANEL_HOST}/get.php`, respond))
  const failure = await panel
    .playlist(line)
    .then(text)
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(ProvisioningError)
  expect(failure).toMatchObject({ message: expect.stringContaining(`playlist: the panel ${message}`) })
  expect(allMessages(failure)).not.toMatch(/TV23456789|12(%2F|\/)34/)
})

test("aborts a call without a response after the timeout", async () => {
  server.use(
    http.post(PANEL_URL, () => delay("infinite")),
    http.get(`${PANEL_HOST}/get.php`, () => delay("infinite")),
  )
  const hasty = webhookProvisioner({ ...settings, timeoutMs: 60 })
  await expect(hasty.create(line)).rejects.toThrow("line.create: the panel is unavailable")
  await expect(hasty.playlist(line)).rejects.toThrow("playlist: the panel is unavailable")
})

/** A response that is cut off. */
function cutOff(start: string) {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(start))
      controller.error(new Error("cut"))
    },
  })
  return new HttpResponse(body)
}
