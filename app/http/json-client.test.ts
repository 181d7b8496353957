import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { z } from "zod"
import { interceptUpstreams } from "../../tests/fakes/server"
import { jsonClient } from "./json-client.server"
import { UpstreamError } from "./upstream-error"

const server = interceptUpstreams()

const URL_HERE = "https://neighbour.test/api"
const Thing = z.object({ name: z.string() })
const client = jsonClient({ url: URL_HERE, headers: { authorization: "Bearer k3y" }, retryDelaysMs: [1, 1] })

test("parses a response by its schema and drops unknown keys", async () => {
  server.use(http.get(`${URL_HERE}/things/7`, () => HttpResponse.json({ name: "tea", colour: "green" })))
  expect(await client.get("things/7", Thing)).toEqual({ name: "tea" })
})

test("posts JSON with the client's headers and the idempotency key", async () => {
  let seen: unknown
  server.use(
    http.post(`${URL_HERE}/things`, async ({ request }) => {
      const { headers } = request
      const names = ["authorization", "content-type", "idempotency-key"]
      seen = [await request.json(), ...names.map((name) => headers.get(name))]
      return HttpResponse.json({ name: "tea" }, { status: 201 })
    }),
  )
  await client.post("things", { body: { name: "tea" }, as: Thing, idempotencyKey: "attempt-1" })
  expect(seen).toEqual([{ name: "tea" }, "Bearer k3y", "application/json", "attempt-1"])
})

test.each([503, 500, 429])("retries a GET after status %i", async (status) => {
  const attempts = answering("get", [status, status, 200])
  expect(await client.get("things", Thing)).toEqual({ name: "tea" })
  expect(attempts()).toBe(3)
})

test("retries a POST with an idempotency key", async () => {
  const attempts = answering("post", [502, 200])
  await client.post("things", { body: {}, as: Thing, idempotencyKey: "attempt-1" })
  expect(attempts()).toBe(2)
})

test("retries a POST marked as repeatable without a key", async () => {
  const attempts = answering("post", [502, 200])
  await client.post("things", { body: {}, as: Thing, repeatable: true })
  expect(attempts()).toBe(2)
})

test("sends a POST without an idempotency key once", async () => {
  const attempts = answering("post", [503, 200])
  const failure = await failureOf(client.post("things", { body: {}, as: Thing }))
  expect([failure.kind, failure.status, attempts()]).toEqual(["unavailable", 503, 1])
})

test("fails after the last retry", async () => {
  const attempts = answering("get", [503, 503, 503, 200])
  expect((await failureOf(client.get("things", Thing))).kind).toBe("unavailable")
  expect(attempts()).toBe(3)
})

test.each([400, 401, 404, 409, 422])("does not retry after status %i", async (status) => {
  const attempts = answering("get", [status, 200])
  const failure = await failureOf(client.get("things", Thing))
  expect([failure.kind, failure.status, attempts()]).toEqual(["refused", status, 1])
})

test.each([
  ["an HTML page", () => HttpResponse.html("<h1>Hello</h1>")],
  ["broken JSON", () => new HttpResponse('{"name": "te')],
  ["nothing", () => new HttpResponse("")],
  ["a response without content", () => new HttpResponse(null, { status: 204 })],
  ["JSON of another schema", () => HttpResponse.json({ name: 7 })],
  ["bytes that are not UTF-8", () => new HttpResponse(new Uint8Array([0x22, 0xff, 0xfe, 0x22]))],
  ["a body of more than one megabyte", () => HttpResponse.json({ name: "x".repeat(1024 * 1024) })],
  ["a redirect", () => HttpResponse.json(null, { status: 302, headers: { location: `${URL_HERE}/else` } })],
])("rejects %s as unreadable without a retry", async (_, respond) => {
  let attempts = 0
  server.use(
    http.get(`${URL_HERE}/things`, () => {
      attempts++
      return respond()
    }),
  )
  const failure = await failureOf(client.get("things", Thing))
  expect([failure.kind, attempts]).toEqual(["unreadable", 1])
})

test("signs the exact body that is sent", async () => {
  const signed: string[] = []
  const sent: unknown[] = []
  server.use(
    http.post(`${URL_HERE}/things`, async ({ request }) => {
      sent.push(await request.text(), request.headers.get("x-signature"))
      return HttpResponse.json({ name: "tea" })
    }),
  )
  const sign = (text: string) => ({ "x-signature": `seal ${signed.push(text)}` })
  await client.post("things", { body: { name: "tëa" }, as: Thing, sign })
  expect(sent).toEqual([signed[0], "seal 1"])
})

test("creates the authorization header for each request, including retries", async () => {
  const proofs: (string | null)[] = []
  server.use(
    http.post(`${URL_HERE}/things`, ({ request }) => {
      const proof = request.headers.get("authorization")
      return HttpResponse.json({ name: "tea" }, { status: proofs.push(proof) < 3 ? 503 : 200 })
    }),
  )
  let made = 0
  const authorize = async (method: string, { pathname }: URL) => ({
    authorization: `${method} ${pathname} ${++made}`,
  })
  const proving = jsonClient({ url: URL_HERE, retryDelaysMs: [1, 1], authorize })
  await proving.post("things", { body: {}, as: Thing, idempotencyKey: "attempt-1" })
  expect(proofs).toEqual([1, 2, 3].map((number) => `POST /api/things ${number}`))
})

test("sends the idempotency key in the configured header", async () => {
  const keys: unknown[] = []
  server.use(
    http.post(`${URL_HERE}/things`, ({ request: { headers } }) => {
      keys.push(headers.get("x-again"), headers.get("idempotency-key"))
      return HttpResponse.json({ name: "tea" })
    }),
  )
  const request = { body: {}, as: Thing, idempotencyKey: "attempt-1" }
  await jsonClient({ url: URL_HERE, idempotencyHeader: "x-again" }).post("things", request)
  expect(keys).toEqual(["attempt-1", null])
})

test("requests an absolute URL unchanged", async () => {
  answering("get", [200])
  const elsewhere = jsonClient({ url: "https://else.test/api" })
  expect(await elsewhere.get(`${URL_HERE}/things`, Thing)).toEqual({ name: "tea" })
})

test("passes the headers of every response to onAnswer, including errors", async () => {
  const seen: unknown[] = []
  answering("get", [503, 404])
  const onResponse = (headers: Pick<Headers, "get">) => void seen.push(headers.get("content-type"))
  await failureOf(jsonClient({ url: URL_HERE, retryDelaysMs: [1], onResponse }).get("things", Thing))
  expect(seen).toEqual(["application/json", "application/json"])
})

test("an error message contains neither the query nor the key", async () => {
  answering("get", [404])
  const { message } = await failureOf(client.get("things?email=ana@example.test", Thing))
  expect(message).toBe("GET neighbour.test/api/things answered 404")
})

test("a schema mismatch has the ZodError as its cause", async () => {
  server.use(http.get(`${URL_HERE}/things`, () => HttpResponse.json({ name: 7 })))
  const failure = await failureOf(client.get("things", Thing))
  expect(failure.cause).toBeInstanceOf(z.ZodError)
})

async function failureOf(call: Promise<unknown>): Promise<UpstreamError> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof UpstreamError) return error
  throw new Error("Expected an UpstreamError", { cause: error })
}

/** Responds with the statuses in order and counts the requests. */
function answering(method: "get" | "post", statuses: number[]) {
  let attempts = 0
  server.use(
    http[method](`${URL_HERE}/things`, () =>
      HttpResponse.json({ name: "tea" }, { status: statuses[attempts++] }),
    ),
  )
  return () => attempts
}

test.each([
  ["https://other.test:8443/login?key=secret", ", a redirect to https://other.test:8443"],
  ["/login", ""],
])("the error of a redirect to %s names scheme and host alone", async (location, target) => {
  server.use(
    http.get(`${URL_HERE}/things`, () => new HttpResponse(null, { status: 301, headers: { location } })),
  )
  const { message } = await failureOf(client.get("things", Thing))
  expect(message).toBe(`GET neighbour.test/api/things answered 301${target}`)
})
