import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { interceptUpstreams } from "../../../../tests/fakes/server"
import { openWhmcs } from "./whmcs.server"

const server = interceptUpstreams()
const url = "https://whmcs.example.test"

/** A shop whose WHMCS answers by these responses, and then with an empty list. */
function openShop(...responses: readonly Response[]) {
  const queue = [...responses]
  let calls = 0
  server.use(
    http.post(`${url}/includes/api.php`, () => {
      calls += 1
      return queue.shift() ?? HttpResponse.json({ result: "success", paymentmethods: "" })
    }),
  )
  const office = openWhmcs({
    url,
    identifier: "shop-identifier",
    secret: "shop-secret",
    timeoutMs: 5_000,
    retryDelaysMs: [1],
    timeZone: "UTC",
    log: { warn: () => {} },
    currency: "EUR",
    plans: { group: "1" },
    resellerPlans: { group: "2" },
    resellerCredits: new Map(),
    fields: { username: "Username", password: "Password", mac: "MAC Address" },
    restart: "recreate",
    pushMac: "change-package",
    countClicks: false,
    gatewayIds: ["offshore"],
    hosts: { plan: null, reseller: null },
  })
  return { office, calls: () => calls }
}

const busy = (status: number, retryAfter: string) =>
  new HttpResponse(null, { status, headers: { "retry-after": retryAfter } })

test.each([
  [429, "120", 120],
  [503, "86400", 3_600],
])(
  "a call that WHMCS answers %s with Retry-After %s is sent once and says when to try again",
  async (status, retryAfter, retryAfterSeconds) => {
    const { office, calls } = openShop(busy(status, retryAfter))
    await expect(office.gateways()).rejects.toMatchObject({ kind: "unavailable", retryAfterSeconds })
    expect(calls()).toBe(1)
    expect(await office.gateways()).toEqual([])
  },
)

test.each([
  ["too large to read", () => new HttpResponse("x".repeat(9 * 1024 * 1024))],
  ["no UTF-8", () => new HttpResponse(new Uint8Array([0x7b, 0xe9, 0x7d]))],
])("an answer of WHMCS that is %s is unreadable, and not asked for again", async (_, answer) => {
  const { office, calls } = openShop(answer())
  await expect(office.gateways()).rejects.toMatchObject({ kind: "unreadable" })
  expect(calls()).toBe(1)
})

test("a call that WHMCS answers 503 without Retry-After is repeated at once if it only reads", async () => {
  const { office, calls } = openShop(new HttpResponse(null, { status: 503 }))
  expect(await office.gateways()).toEqual([])
  expect(calls()).toBe(2)
})
