import { HttpResponse, http, type JsonBodyType } from "msw"
import { expect, test } from "vitest"
import type { ExternalBilling } from "~/billing/external/external-billing"
import { type Call, newClick, calls as served } from "~/billing-api/contract/endpoints"
import { money } from "~/domain/money/money"
import {
  differences,
  type SpecifiedName,
  specifiedCalls,
  specifiedNames,
} from "../../../../tests/contracts/billing/specified-calls"
import { oldCalls } from "../../../../tests/fakes/legacy-billing-endpoints"
import {
  ana,
  externalOrder,
  externalUpsell,
  extraConnection,
  owned,
  paid,
  payment,
  plan,
  remoteSettings,
} from "../../../../tests/fakes/legacy-billing-fixtures"
import { interceptUpstreams } from "../../../../tests/fakes/server"
import { openRemote } from "./remote.server"

const REMOTE_URL = "https://books.example.test"
const server = interceptUpstreams()
const openAdapter = () => openRemote({ ...remoteSettings, url: REMOTE_URL, emailOf: async () => ana.email })

const product = {
  pid: "3",
  pricing: { EUR: { monthly: "12.50", annually: "-1.00" } },
  configoptions: {
    configoption: [
      { id: "2", options: { option: [{ id: "7", pricing: { EUR: { monthly: "5.00" } } }] } },
      { id: "4", options: { option: [{ id: "9", pricing: { EUR: { monthly: "2.50" } } }] } },
    ],
  },
  customfields: { customfield: [{ id: "11" }, { id: "12" }] },
}
const products = { totalresults: 1, products: { product: [product] } }
const promotion = {
  code: "WELCOME",
  appliesto: "3,4",
  type: "Percentage",
  value: "10.00",
  startdate: "0000-00-00",
  expirationdate: "2027-01-31",
}
const service = {
  username: "TV23456789",
  password: "0123456789",
  serverhostname: "line.example.test",
  status: "Pending",
  name: "1 month",
  orderid: "9",
  customfields: { customfield: [{ id: "13", value: "00:1A:79:AA:BB:CC" }] },
  configoptions: { configoption: [{ id: "2", value: "1" }] },
}

/** Answers with the fields that the specification lists for each call, and with no other. */
const answers: Readonly<Record<SpecifiedName, JsonBodyType>> = {
  auth: { token: "token-1" },
  authMiddleware: { userid: "7" },
  getProductCustomFields: { Username: "11", Password: "12" },
  order: {
    orderid: "9",
    invoiceid: "31",
    serviceids: "12",
    fraud: false,
    link: "https://pay.example.test/o/31",
  },
  getGateway: { paymentmethods: { paymentmethod: [{ module: "offshore" }, { module: "coinbase" }] } },
  addInvoice: { invoiceid: "32" },
  checkFraud: { valid: true },
  fraudOrder: {},
  updateClientProduct: {},
  cancelOrder: {},
  offshore: { link: "https://pay.example.test/i/31" },
  coinbase: { link: "https://coins.example.test/i/31" },
  getClientProducts: service,
  getResellerProducts: { error: "", name: "1 month", status: "Active", orderid: "9" },
  moduleTerminate: {},
  moduleCreate: {},
  restartService: {},
  updateMacAddress: { result: "OK" },
  getProducts: products,
  getProduct: product,
  getPromotion: { result: "success", message: "", totalresults: 1, promotions: { promotion: [promotion] } },
  getResellersProducts: { products: { product: [{ ...product, pid: "21" }] } },
  isReseller: { error: "", reseller: true },
  resellerAuth: { token: "token-2", userid: "7" },
  getActiveProducts: { products: { product: [] } },
  "../aff/new_click": {},
}

type Asked = { readonly method: string; readonly params: Readonly<Record<string, unknown>> }

/** Answers every call as the specification says. Returns what is asked from now on. */
function serveAsSpecified() {
  const asked = new Map<SpecifiedName, Asked[]>(specifiedNames.map((name) => [name, []]))
  const handlers = specifiedNames.map((name) =>
    http.all(new URL(name, `${REMOTE_URL}/checkout/api/`).href, async ({ request }) => {
      const query = Object.fromEntries(new URL(request.url).searchParams)
      const params = request.method === "POST" ? Object(await request.json()) : query
      asked.get(name)?.push({ method: request.method, params })
      return HttpResponse.json(answers[name])
    }),
  )
  const unlisted = http.all(`${REMOTE_URL}/*`, () =>
    HttpResponse.json({ message: "Not found" }, { status: 404 }),
  )
  server.use(...handlers, unlisted)
  return asked
}

const order = owned("7", { orderId: "9", invoiceId: "31", serviceId: "12", link: null })
const line = { customerId: "7", serviceId: "12", productId: "3" }
const lines = [plan("3", 1250), extraConnection, codeOf("WELCOME")]
const quote = { lines, total: money(1550, "EUR") }
const visitor = { ...ana, password: "a password of her own" }

function codeOf(code: string) {
  return { kind: "discount", code, amount: money(-200, "EUR") } as const
}

/** A use of the port for which each call is needed. */
const uses: Readonly<Record<SpecifiedName, (billing: ExternalBilling) => unknown>> = {
  auth: (billing) => billing.identify(ana),
  authMiddleware: (billing) => billing.customerOf(ana.email),
  getProductCustomFields: (billing) => billing.placeOrder(externalOrder("7")),
  order: (billing) => billing.placeOrder(externalOrder("7", { quote, affiliateId: "77" })),
  getGateway: (billing) => billing.gateways(),
  addInvoice: (billing) => billing.addInvoice(externalUpsell("7", "12")),
  checkFraud: (billing) => billing.passesFraudCheck?.("203.0.113.7"),
  fraudOrder: (billing) => billing.fraudOrder(order),
  updateClientProduct: (billing) => billing.setNotes(line, "the one upstairs"),
  cancelOrder: (billing) => billing.cancelOrder(order),
  offshore: (billing) => billing.payments?.link(payment(order, "offshore")),
  coinbase: (billing) => billing.payments?.link(payment(order, "coinbase")),
  getClientProducts: (billing) => billing.service(line),
  getResellerProducts: (billing) => billing.service(line),
  moduleTerminate: (billing) => billing.terminate(line),
  /** The server has not set it up afterwards either: its answers do not change. */
  moduleCreate: (billing) => billing.provision(paid(order, { payments: [] })).catch(({ kind }) => kind),
  restartService: (billing) => billing.restart(line),
  updateMacAddress: (billing) => billing.setDeviceAddress(line, "00:1A:79:AA:BB:CC"),
  getProducts: (billing) => billing.plans(),
  getProduct: (billing) => billing.placeOrder(externalOrder("7")),
  getPromotion: (billing) => billing.promotion("WELCOME"),
  getResellersProducts: (billing) => billing.resellerPlans(),
  isReseller: (billing) => billing.isReseller({ customerId: "7", email: ana.email }),
  resellerAuth: (billing) => billing.resellerAuth({ ...visitor, existing: true }),
  getActiveProducts: (billing) => billing.services("7"),
  "../aff/new_click": (billing) =>
    billing.recordClick({ affiliateId: "77", referer: "https://blog.example.test/tv" }),
}

/** What the port gives for those answers. */
const placed = { orderId: "9", invoiceId: "31", serviceId: "12", link: "https://pay.example.test/o/31" }
const results: Partial<Record<SpecifiedName, unknown>> = {
  auth: { customerId: "7", email: ana.email },
  authMiddleware: { customerId: "7" },
  order: placed,
  getGateway: ["offshore", "coinbase"],
  addInvoice: { invoiceId: "32", serviceId: "12" },
  checkFraud: true,
  offshore: "https://pay.example.test/i/31",
  coinbase: "https://coins.example.test/i/31",
  getClientProducts: {
    username: "TV23456789",
    password: "0123456789",
    host: "http://line.example.test",
    status: "Pending",
    name: "1 month",
    orderId: "9",
    deviceAddress: "00:1A:79:AA:BB:CC",
    connections: 2,
  },
  getResellerProducts: { kind: "reseller" },
  moduleCreate: "unavailable",
  getProducts: [
    {
      id: "3",
      pricing: { EUR: { monthly: 1250 } },
      options: [
        { id: "2", choices: [{ id: "7", pricing: { EUR: { monthly: 500 } } }] },
        { id: "4", choices: [{ id: "9" }] },
      ],
      customFields: [{ id: "11" }, { id: "12" }],
    },
  ],
  getPromotion: {
    code: "WELCOME",
    productIds: ["3", "4"],
    startsOn: null,
    endsOn: "2027-01-31",
    discount: { kind: "percentage", basisPoints: 1_000 },
  },
  getResellersProducts: [{ id: "21" }],
  isReseller: true,
  resellerAuth: { customer: { customerId: "7" }, made: false },
}

test.each(specifiedNames)(
  "the adapter asks %s with every parameter of the specification, and needs no other fields of the answer",
  async (name) => {
    const { method, request, response } = specifiedCalls[name]
    expect(differences(answers[name], response)).toEqual([])

    const asked = serveAsSpecified()
    const result = await uses[name](openAdapter())

    const sent = asked.get(name)?.at(-1)
    expect(sent?.method).toBe(method)
    expect(differences(sent?.params, request)).toEqual([])
    expect(Object.keys(sent?.params ?? {}).filter((param) => !(param in parametersOf(name)))).toEqual([])
    if (name in results) expect({ result }).toMatchObject({ result: results[name] })
  },
)

/** Parameters of a call with those that the served API adds to the specification. */
function parametersOf(name: SpecifiedName): Call["request"]["shape"] {
  return (name === "../aff/new_click" ? newClick : served[name]).request.shape
}

test("the simulated older server serves the calls of the specification and no other", () => {
  const named = specifiedNames.map((name) => [
    name === "../aff/new_click" ? "/checkout/aff/new_click" : `/${name}`,
    specifiedCalls[name].method,
  ])
  const simulated = Object.entries(oldCalls).map(([path, { method }]) => [path, method])
  expect(simulated.toSorted()).toEqual(named.toSorted())
})
