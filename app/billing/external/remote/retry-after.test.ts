import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { DAY, HOUR, MINUTE, SECOND } from "~/domain/calendar"
import {
  ana,
  externalOrder,
  owned,
  payment,
  remoteSettings,
} from "../../../../tests/fakes/legacy-billing-fixtures"
import { interceptUpstreams } from "../../../../tests/fakes/server"
import { openRemote } from "./remote.server"

const server = interceptUpstreams()
const url = "https://busy.example.test"

/** A shop whose billing server answers each call by the next response, and then with an empty catalogue. */
function openShop(path: string, ...responses: readonly Response[]) {
  let elapsed = 1_000
  const queue = [...responses]
  const calls: string[] = []
  server.use(
    http.all(`${url}/checkout/api/:call`, ({ params }) => {
      calls.push(String(params.call))
      const next = params.call === path ? queue.shift() : undefined
      return next ?? HttpResponse.json({ products: [] })
    }),
  )
  const externalBilling = openRemote({ ...remoteSettings, url, steadyNow: () => elapsed })
  function wait(ms: number) {
    elapsed += ms
  }
  return { externalBilling, calls, wait }
}

const busy = (status: number, retryAfter: string) =>
  new HttpResponse(null, { status, headers: { "retry-after": retryAfter } })

test.each([
  [429, "120", 2 * MINUTE],
  [503, "120", 2 * MINUTE],
  [503, "86400", 1 * HOUR],
])(
  "a billing server that answers %s with Retry-After %s is called again after that time",
  async (status, retryAfter, hold) => {
    const { externalBilling, calls, wait } = openShop("getProducts", busy(status, retryAfter))
    const error = { name: "BillingError", kind: "unavailable", retryAfterSeconds: hold / SECOND }
    await expect(externalBilling.plans()).rejects.toMatchObject(error)
    expect(calls).toHaveLength(1)

    wait(hold - 10 * SECOND)
    await expect(externalBilling.placeOrder(externalOrder("7"))).rejects.toMatchObject({
      kind: "unavailable",
      mayStillRun: false,
      retryAfterSeconds: 10,
    })
    expect(calls).toHaveLength(1)

    wait(10 * SECOND)
    expect(await externalBilling.plans()).toEqual([])
    expect(calls).toHaveLength(2)
  },
)

test("a date in Retry-After is obeyed like seconds", async () => {
  const { externalBilling, wait } = openShop(
    "getProducts",
    busy(503, new Date(Date.now() + DAY).toUTCString()),
  )
  await expect(externalBilling.plans()).rejects.toMatchObject({ retryAfterSeconds: 3600 })
  wait(HOUR)
  expect(await externalBilling.plans()).toEqual([])
})

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

test("too many sign-ins of one customer and a failing gateway hold up no other call", async () => {
  const order = owned("7", { orderId: "9", invoiceId: "31", serviceId: "12", link: null })
  const signIn = openShop("auth", busy(429, "900"))
  await expect(signIn.externalBilling.identify(ana)).rejects.toMatchObject({ retryAfterSeconds: 900 })
  expect(await signIn.externalBilling.plans()).toEqual([])

  const gateway = openShop("offshore", busy(503, "10"))
  const link = gateway.externalBilling.payments?.link(payment(order, "offshore"))
  await expect(link).rejects.toMatchObject({ retryAfterSeconds: 10 })
  expect(await gateway.externalBilling.plans()).toEqual([])
})
