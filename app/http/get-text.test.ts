import { delay, HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { interceptUpstreams } from "../../tests/fakes/server"
import { textOf } from "./get-text.server"

const server = interceptUpstreams()

const HERE = "https://neighbour.test/list"
const address = new URL(`${HERE}?password=123`)
const limits = { timeoutMs: 5_000, maxBytes: 10 }

test("returns a text of the maximum length", async () => {
  server.use(http.get(HERE, () => new HttpResponse("ä2345678 ")))
  expect(await textOf(address, limits)).toBe("ä2345678 ")
})

test.each([
  ["a text above the maximum length", () => new HttpResponse("12345678901"), "unreadable"],
  ["bytes that are not UTF-8", () => new HttpResponse(new Uint8Array([0xff, 0xfe])), "unreadable"],
  ["a redirect", () => new HttpResponse(null, { status: 302, headers: { location: HERE } }), "unreadable"],
  ["a 401", () => new HttpResponse(null, { status: 401 }), "refused"],
  ["a 500", () => new HttpResponse(null, { status: 500 }), "unavailable"],
  ["nothing", () => HttpResponse.error(), "unavailable"],
])("rejects %s without a retry, with a message without the query", async (_, respond, kind) => {
  let attempts = 0
  server.use(
    http.get(HERE, () => {
      attempts++
      return respond()
    }),
  )
  await expect(textOf(address, limits)).rejects.toMatchObject({
    kind,
    message: expect.stringMatching(/^GET neighbour\.test\/list [^?]*$/),
  })
  expect(attempts).toBe(1)
})

test("aborts a request without a response after the timeout", async () => {
  server.use(http.get(HERE, () => delay("infinite")))
  await expect(textOf(address, { ...limits, timeoutMs: 60 })).rejects.toMatchObject({ kind: "unavailable" })
})
