import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { DAY } from "~/domain/calendar"
import { externalOrder, remoteSettings } from "../../../../tests/fakes/legacy-billing-fixtures"
import { interceptUpstreams } from "../../../../tests/fakes/server"
import { openRemote } from "./remote.server"

const server = interceptUpstreams()
const url = "https://busy.example.test"
const answers: Readonly<Record<string, object>> = {
  order: { orderid: "9", invoiceid: "31", serviceids: "12", fraud: false, link: "" },
  getProductCustomFields: { Username: 11, Password: 12 },
  checkFraud: { valid: true },
  getProducts: { products: [] },
}

/** A shop whose billing server answers each call of one path by the next response, and all others at once. */
function openShop(path: string, ...responses: readonly Response[]) {
  const queue = [...responses]
  const calls: string[] = []
  server.use(
    http.all(`${url}/checkout/api/:call`, ({ params }) => {
      calls.push(String(params.call))
      const next = params.call === path ? queue.shift() : undefined
      return next ?? HttpResponse.json(answers[String(params.call)] ?? { result: "error" })
    }),
  )
  return { externalBilling: openRemote({ ...remoteSettings, url }), calls }
}

const busy = (status: number, retryAfter: string) =>
  new HttpResponse(null, { status, headers: { "retry-after": retryAfter } })

test.each([
  [429, "120", 120],
  [503, "120", 120],
  [503, "86400", 3_600],
  [503, new Date(Date.now() + DAY).toUTCString(), 3_600],
])(
  "a call that is answered %s with Retry-After %s is sent once and says when to try again",
  async (status, retryAfter, retryAfterSeconds) => {
    const { externalBilling, calls } = openShop("getProducts", busy(status, retryAfter))
    const error = { name: "BillingError", kind: "unavailable", mayStillRun: false, retryAfterSeconds }
    await expect(externalBilling.plans()).rejects.toMatchObject(error)
    expect(calls).toHaveLength(1)
  },
)

test.each([
  ["no Retry-After", new HttpResponse(null, { status: 503 })],
  ["a Retry-After of 0", busy(503, "0")],
  ["a Retry-After that is no time", busy(429, "soon")],
  ["a Retry-After of a server error", busy(500, "120")],
])("after a response with %s a call that reads is repeated at once", async (_, response) => {
  const { externalBilling, calls } = openShop("getProducts", response)
  expect(await externalBilling.plans()).toEqual([])
  expect(calls).toHaveLength(2)
})

test("one short fault keeps the next buyer from nothing, not from the same call either", async () => {
  const { externalBilling } = openShop("checkFraud", busy(503, "10"))
  await expect(externalBilling.passesFraudCheck?.("203.0.113.7")).rejects.toMatchObject({
    retryAfterSeconds: 10,
  })
  expect(await externalBilling.passesFraudCheck?.("203.0.113.8")).toBe(true)
  expect(await externalBilling.plans()).toEqual([])
  expect(await externalBilling.placeOrder(externalOrder("7"))).toMatchObject({ orderId: "9" })
})
