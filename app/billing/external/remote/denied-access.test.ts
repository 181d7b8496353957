import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { ana, externalOrder, remoteSettings } from "../../../../tests/fakes/legacy-billing-fixtures"
import { interceptUpstreams } from "../../../../tests/fakes/server"
import { openRemote } from "./remote.server"

const server = interceptUpstreams()

const barred = openRemote({ ...remoteSettings, url: "https://barred.example.test" })
const keyRejected = {
  result: "error",
  error: { code: "invalid-api-key", message: "Missing or invalid x-api-key" },
}
const page = `<!DOCTYPE html><html><body><h1>Access denied</h1></body></html>`

const denials: [string, () => Response][] = [
  ["rejects the shop's API key", () => HttpResponse.json(keyRejected, { status: 401 })],
  ["is behind a page that bars the shop", () => HttpResponse.html(page, { status: 403 })],
  ["is behind a long page that bars the shop", () => HttpResponse.html(page.padEnd(20_000), { status: 403 })],
]

const customer = { customerId: "7", reach: "account" } as const
const calls: [string, () => Promise<unknown> | undefined][] = [
  ["the catalogue is read", () => barred.plans()],
  ["a promo code is looked up", () => barred.promotion("WELCOME10")],
  ["a buyer is identified", () => barred.identify(ana)],
  ["a password is tried", () => barred.signIn({ email: ana.email, password: "a password of hers" })],
  ["a password is set", () => barred.passwords?.setPassword(customer, "a new password")],
  ["an order is placed", () => barred.placeOrder(externalOrder("7"))],
]

for (const [why, respond] of denials) {
  test.each(calls)(`the billing server counts as unavailable when %s and it ${why}`, async (_, call) => {
    server.use(http.all("https://barred.example.test/*", respond))
    await expect(call()).rejects.toMatchObject({ name: "BillingError", kind: "unavailable" })
  })
}

test("a password of a sign-up is not replaced by one of the shop while the server rejects the API key", async () => {
  server.use(http.all("https://barred.example.test/*", () => HttpResponse.json(keyRejected, { status: 401 })))
  await expect(barred.passwords?.endSignUpPassword("7")).rejects.toMatchObject({ kind: "unavailable" })
})

test("an older server whose proxy answers unknown calls with a page of status 403 has no such calls", async () => {
  server.use(http.all("https://barred.example.test/*", () => HttpResponse.html(page, { status: 403 })))
  expect(await barred.passwords?.endSignUpPassword("7")).toBeNull()
})

test("doctor names an API key that the server rejects", async () => {
  server.use(http.all("https://barred.example.test/*", () => HttpResponse.json(keyRejected, { status: 401 })))
  expect(await barred.diagnose(ana.at)).toContainEqual({
    ok: false,
    check: "key",
    message: expect.stringMatching(/answered 401: invalid-api-key/),
  })
})
