import { HttpResponse, http } from "msw"
import { expect, test } from "vitest"
import { owned, remoteSettings } from "../../../../tests/fakes/legacy-billing-fixtures"
import { interceptUpstreams } from "../../../../tests/fakes/server"
import { openRemote } from "./remote.server"

const server = interceptUpstreams()

const settings = { ...remoteSettings, url: "https://odd.example.test" }
const odd = openRemote(settings)

function respondWith(path: string, respond: () => Response): void {
  server.use(http.all(`https://odd.example.test/checkout/api/${path}`, respond))
}

const nonsense: [string, unknown][] = [
  ["a text", "hello"],
  ["null", null],
  ["an array", []],
  ["without products", { totalresults: 2 }],
  ["a product without an id", { products: { product: { name: "tea" } } }],
  ["products that are a number", { products: 7 }],
]

test.each(nonsense)("a catalogue response that is %s is unreadable", async (_, value) => {
  respondWith("getProducts", () => HttpResponse.json(value as object))
  await expect(odd.plans()).rejects.toMatchObject({ name: "BillingError", kind: "unreadable" })
})

const empty: [string, unknown][] = [
  ["an empty text", ""],
  ["null", null],
  ["an empty list", []],
  ["an empty list inside", { product: [] }],
  ["an empty text inside", { product: "" }],
]

test.each(empty)("an empty catalogue written as %s is parsed", async (_, products) => {
  respondWith("getProducts", () => HttpResponse.json({ totalresults: "0", products } as object))
  expect(await odd.plans()).toEqual([])
})

test.each([
  ["returns 400", () => new HttpResponse(null, { status: 400 })],
  [
    "returns an error with status 200",
    () => HttpResponse.json({ result: "error", message: "serviceid is required" }),
  ],
  ["returns an empty service", () => HttpResponse.json({ username: null, status: null })],
])("active services are listed when getClientProducts without a service id %s", async (_, respond) => {
  const working = { id: 12, pid: "3", status: "Active", username: "TV1", password: "1", notes: false }
  respondWith("getClientProducts", respond)
  respondWith("getActiveProducts", () => HttpResponse.json([working]))
  respondWith("getProducts", () => HttpResponse.json({ products: [{ pid: 3, name: "tea" }] }))
  respondWith("getResellersProducts", () => new HttpResponse(null, { status: 400 }))
  const known = {
    serviceId: "12",
    productId: "3",
    kind: "plan",
    status: "Active",
    notes: "",
    connections: null,
  }
  expect(await openRemote(settings).services("7")).toEqual([expect.objectContaining(known)])
})

test.each([
  [{ nextduedate: "2027-02-28" }, Date.UTC(2027, 1, 27, 23)],
  [{ nextduedate: "2027-06-30 00:00:00" }, Date.UTC(2027, 5, 29, 22)],
  [{ nextduedate: "2027-02-28", paiduntil: "2027-02-28T10:30:00.000Z" }, Date.UTC(2027, 1, 28, 10, 30)],
  [{ nextduedate: "2027-02-28", paiduntil: "2027-03-01T00:30:00+02:00" }, Date.UTC(2027, 1, 28, 22, 30)],
  [{ nextduedate: "0000-00-00", paiduntil: "" }, null],
  [{ paiduntil: "soon" }, null],
  [{}, null],
])("the due date %j of a service is the end %s of its paid time", async (due, paidUntil) => {
  const service = { id: "12", clientid: "7", pid: "3", status: "Active", ...due }
  respondWith("getClientProducts", () => HttpResponse.json(service))
  respondWith("getProducts", () => HttpResponse.json({ products: [{ pid: 3, name: "tea" }] }))
  respondWith("getResellersProducts", () => HttpResponse.json({ products: "" }))
  expect(await openRemote(settings).service({ customerId: "7", serviceId: "12" })).toMatchObject({
    paidUntil,
  })
})

test("service returns null for another customer's service", async () => {
  respondWith("getClientProducts", () => HttpResponse.json({ id: "12", clientid: "8", status: "Active" }))
  expect(await odd.service({ customerId: "7", serviceId: "12" })).toBeNull()
})

test.each([
  ["Active", "Active"],
  ["Completed", "Active"],
  ["Pending", "Pending"],
  ["In Review", "Pending"],
  ["Suspended", "Suspended"],
  ["Terminated", "Terminated"],
  ["Fraud", "Cancelled"],
])(
  "a service with external status %s has status %s, although its product is no longer sold",
  async (status, local) => {
    respondWith("getClientProducts", () => HttpResponse.json({ status, name: "Old plan" }))
    respondWith("getProducts", () => HttpResponse.json({ products: "" }))
    respondWith("getResellersProducts", () => HttpResponse.json({ products: "" }))
    respondWith("getResellerProducts", () => HttpResponse.json({ error: false, status, name: "Old plan" }))
    const service = await openRemote(settings).service({ customerId: "7", serviceId: "12" })
    expect(service).toMatchObject({ serviceId: "12", status: local, kind: "reseller", name: "Old plan" })
  },
)

test.each([
  ["2", 3],
  ["0", 1],
  ["Yes", 2],
  ["No", 1],
  ["", 1],
  ["two more", null],
])("the value %j of the extra connection option means %s connections", async (value, connections) => {
  const configoptions = { configoption: { id: 2, option: "Extra connection", value } }
  respondWith("getClientProducts", () =>
    HttpResponse.json({ status: "Active", kind: "plan", pid: 3, configoptions }),
  )
  respondWith("getProducts", () => HttpResponse.json({ products: { product: { pid: 3, name: "tea" } } }))
  respondWith("getResellersProducts", () => HttpResponse.json({ products: "" }))
  expect(await openRemote(settings).service({ customerId: "7", serviceId: "12" })).toMatchObject({
    connections,
  })
})

test.each([{ userid: "" }, { userid: null }, { userid: 0 }, { error: "No such client" }, { error: true }])(
  "customerOf returns null for the response %j",
  async (request) => {
    respondWith("authMiddleware", () => HttpResponse.json(request))
    expect(await odd.customerOf("nobody@example.test")).toBeNull()
  },
)

test.each([
  [{ reseller: { name: "Reseller 10", status: "Active" }, error: false }, true],
  [{ reseller: true }, true],
  [{ reseller: "0", error: "" }, false],
  [{ error: "No reseller" }, false],
  [{ result: "error", message: "No reseller" }, false],
])("isReseller parses the response %j as %s", async (request, isOne) => {
  respondWith("isReseller", () => HttpResponse.json(request))
  expect(await odd.isReseller({ customerId: "7", email: "ana@example.test" })).toBe(isOne)
})

test.each([
  [{ credits: 25 }, 25],
  [{ credits: "25.00" }, 25],
  [{ credits: 0 }, 0],
  [{ credits: null }, 10],
  [{ credits: "" }, 10],
  [{}, 10],
])("a reseller plan with %j has %s credits, where RESELLER_PLAN_CREDITS says 10", async (said, credits) => {
  const plan = { pid: 21, name: "Reseller", paytype: "onetime", pricing: { EUR: { monthly: "50.00" } } }
  respondWith("getResellersProducts", () =>
    HttpResponse.json({ products: { product: { ...plan, ...said } } }),
  )
  expect(await openRemote(settings).resellerPlans()).toMatchObject([{ credits }])
})

test.each([
  ["names product and kind", { pid: 3, kind: "plan" }, []],
  ["names the product", { pid: 3 }, ["getResellersProducts", "getProducts"]],
])(
  "the lists of products are read once at most for many services, where the server %s",
  async (_, named, calls) => {
    const lines = Array.from({ length: 50 }, (_, id) => ({ id: id + 1, status: "Active", ...named }))
    respondWith("getClientProducts", () => HttpResponse.json({ products: { product: lines } }))
    const asked: string[] = []
    const lists = { getProducts: [{ pid: 3, name: "1 month" }], getResellersProducts: "" }
    for (const [name, products] of Object.entries(lists))
      respondWith(name, () => {
        asked.push(name)
        return HttpResponse.json({ products } as object)
      })
    expect(await openRemote(settings).services("7")).toHaveLength(50)
    expect(asked).toEqual(calls)
  },
)

test("all lines of a reseller with thousands are read", async () => {
  const lines = Array.from({ length: 4_000 }, (_, index) => ({
    id: index + 1,
    clientid: "7",
    pid: 3,
    kind: "plan",
    name: "1 month",
    status: "Active",
    username: `TV${index}`,
    notes: "A line for a customer of this reseller".repeat(12),
  }))
  respondWith("getClientProducts", () => HttpResponse.json({ products: { product: lines } }))
  expect(await odd.services("7")).toHaveLength(4_000)
})

test("calls whose answer is not used take a response without content (204) as done", async () => {
  const service = { customerId: "7", serviceId: "12", productId: "3" }
  const order = owned("7", { orderId: "9", invoiceId: "31", serviceId: "12", link: null })
  const noContent = () => new HttpResponse(null, { status: 204 })
  const names = ["cancelOrder", "fraudOrder", "moduleTerminate", "restartService", "updateClientProduct"]
  for (const name of [...names, "setPassword"]) respondWith(name, noContent)
  server.use(http.post("https://odd.example.test/checkout/aff/new_click", noContent))
  await odd.cancelOrder(order)
  await odd.fraudOrder(order)
  await odd.terminate(service)
  await odd.restart(service)
  await odd.setNotes(service, "for Ben")
  await odd.recordClick({ affiliateId: "7", referer: null })
  expect(await odd.passwords?.setPassword({ customerId: "7", reach: "account" }, "a new one")).toBe(true)
})

test.each([
  ["without content", () => new HttpResponse(null, { status: 204 })],
  ["that is empty", () => new HttpResponse("")],
])("a response %s is unreadable where it is used, and an empty one everywhere", async (_, respond) => {
  for (const name of ["getProducts", "getGateway"]) respondWith(name, respond)
  respondWith("restartService", () => new HttpResponse(""))
  const unreadable = { name: "BillingError", kind: "unreadable" }
  await expect(odd.plans()).rejects.toMatchObject(unreadable)
  await expect(odd.gateways()).rejects.toMatchObject(unreadable)
  const service = { customerId: "7", serviceId: "12", productId: "3" }
  await expect(odd.restart(service)).rejects.toMatchObject(unreadable)
})

test.each([
  [{ error: "Panel unavailable" }, "refused"],
  [{ error: { code: "conflict", message: "Line is ended" } }, "refused"],
  [{ success: false, message: "Panel unavailable" }, "refused"],
  [{ error: false }, "done"],
  [{ error: null, success: true }, "done"],
  [{ error: [] }, "done"],
])("a call answered with status 200 and %j is %s", async (answer, outcome) => {
  respondWith("restartService", () => HttpResponse.json(answer))
  const restarted = odd.restart({ customerId: "7", serviceId: "12", productId: "3" })
  expect(await restarted.then(() => "done").catch(({ kind }) => kind)).toBe(outcome)
})

const quoted = "GET odd.example.test/checkout/api/restartService answered"

test.each([
  [409, { error: { code: "conflict", message: "Line is ended" } }, `${quoted} 409: conflict: Line is ended`],
  [
    422,
    { error: { code: "refused", message: "No panel for ana@example.test 77" } },
    "422: refused: No panel for … …",
  ],
  [
    503,
    { error: { code: "unavailable", message: "Panel unavailable" } },
    "503: unavailable: Panel unavailable",
  ],
  [401, { error: "Unauthorized" }, `${quoted} 401: Unauthorized`],
  [400, { message: "serviceid is required" }, `${quoted} 400: serviceid is required`],
  [500, { error: { code: "TV1 0123456789", message: "no" } }, `${quoted} 500`],
  [
    200,
    { error: { code: "conflict", message: "Line is ended" } },
    "rejected restartService: conflict: Line is ended",
  ],
])("the failure of a call answered %i with %j says why", async (status, error, message) => {
  respondWith("restartService", () => HttpResponse.json({ result: "error", ...error }, { status }))
  const failure = odd.restart({ customerId: "7", serviceId: "12", productId: "3" })
  await expect(failure).rejects.toThrow(new RegExp(`${message.replaceAll(".", "\\.")}$`))
})
