import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { z } from "zod"
import { interceptUpstreams } from "../../tests/fakes/server"
import { jsonClient } from "./json-client.server"

const server = interceptUpstreams()

const URL_HERE = "https://neighbour.test/api"
const Thing = z.object({ name: z.string() })
const client = jsonClient({ url: URL_HERE, headers: { authorization: "Bearer k3y" }, retryDelaysMs: [1, 1] })

test.each([503, 429])("sends a non-repeatable GET once after status %i", async (status) => {
  let attempts = 0
  const respond = () => HttpResponse.json({ name: "tea" }, { status: ++attempts === 1 ? status : 200 })
  server.use(http.get(`${URL_HERE}/things`, respond))
  const call = client.get("things", Thing, { repeatable: false })
  await expect(call).rejects.toMatchObject({ kind: "unavailable", status })
  expect(attempts).toBe(1)
})

test("sends per-call headers with that call and its retries only", async () => {
  const seen: unknown[] = []
  const respond = ({ request: { headers } }: { request: Request }) => {
    const known = [headers.get("x-who"), headers.get("authorization")]
    return HttpResponse.json({ name: "tea" }, { status: seen.push(known) === 1 ? 503 : 200 })
  }
  server.use(http.get(`${URL_HERE}/things`, respond), http.post(`${URL_HERE}/things`, respond))
  await client.get("things", Thing, { headers: { "x-who": "ana" } })
  await client.post("things", { body: {}, as: Thing, headers: { "x-who": "ben" } })
  await client.get("things", Thing)
  expect(seen).toEqual(["ana", "ana", "ben", null].map((who) => [who, "Bearer k3y"]))
})
