import { afterEach, beforeEach, describe, expect, test } from "vitest"
import {
  differences,
  type SpecifiedName,
  specifiedCalls,
  specifiedNames,
} from "../../tests/contracts/billing/specified-calls"
import { type ApiShop, openApiShop } from "../../tests/fixtures/api-client"

const EMAIL = "ana@example.test"
const password = "correct horse battery"
const visitor = { email: EMAIL, country: "ES", clientip: "192.0.2.9", language: "spanish", currency: "EUR" }

let shop: ApiShop
let ana: { userid: string; token: string }
beforeEach(async () => {
  shop = await openApiShop()
  ana = await shop.customer(EMAIL)
})
afterEach(() => shop.close())

type Ordered = { readonly orderid: string; readonly invoiceid: string; readonly serviceid: string }
type Values = Readonly<Record<string, string | boolean>>

const orderOf = (product: { pid: string; amount: string }) => ({
  userid: ana.userid,
  ip: "192.0.2.9",
  country: "ES",
  paymentmethod: "offshore",
  promocode: "",
  affid: "77",
  currency: "EUR",
  configoptions: "{}",
  customfields: '{"11":"TVANA2345","12":"0123456789"}',
  email: EMAIL,
  ...product,
})

const monthly = { pid: "1", amount: "12.00" }

async function ordered(product = monthly): Promise<Ordered> {
  const { body } = await shop.call("order", orderOf(product), { token: ana.token })
  return {
    orderid: String(body.orderid),
    invoiceid: String(body.invoiceid),
    serviceid: String(body.serviceids),
  }
}

/** A service that was paid and works. */
async function working(product = monthly): Promise<Ordered> {
  const order = await ordered(product)
  await shop.services.billing.applyOrderEvent(order.orderid, "paid", shop.services.now())
  await shop.call("getProducts")
  return order
}

const due = { amount: "12.00", currency: "EUR" }
const clientid = () => ana.userid

/** Valid values of the parameters that the specification lists for each call, and of no other. */
const requests: Readonly<Record<SpecifiedName, () => Values | Promise<Values>>> = {
  auth: () => ({ ...visitor, password }),
  authMiddleware: () => ({ email: EMAIL }),
  getProductCustomFields: () => ({ id: "1" }),
  order: () => ({ ...orderOf({ pid: "1", amount: "10.80" }), promocode: "WELCOME10" }),
  getGateway: () => ({}),
  addInvoice: async () => ({
    userid: ana.userid,
    paymentmethod: "offshore",
    serviceId: (await working()).serviceid,
    extraQuantity: "2",
    price: "5.00",
  }),
  checkFraud: () => ({ ip: "192.0.2.9" }),
  fraudOrder: async () => ({ orderid: (await ordered()).orderid }),
  updateClientProduct: async () => ({ serviceid: (await working()).serviceid, notes: "the one upstairs" }),
  cancelOrder: async () => ({ orderid: (await ordered()).orderid, clientid: clientid() }),
  offshore: async () => ({ invoice: (await ordered()).invoiceid, ...due }),
  coinbase: async () => ({
    invoiceid: (await ordered()).invoiceid,
    ...due,
    clientid: clientid(),
    pid: "1",
  }),
  getClientProducts: async () => ({ clientid: clientid(), serviceid: (await working()).serviceid }),
  getResellerProducts: async () => {
    const { serviceid } = await working({ pid: "11", amount: "49.00" })
    return { clientid: clientid(), serviceid }
  },
  moduleTerminate: async () => ({ serviceid: (await working()).serviceid }),
  moduleCreate: async () => ({ serviceid: (await ordered()).serviceid }),
  restartService: async () => ({ serviceid: (await working()).serviceid }),
  updateMacAddress: async () => ({
    serviceid: (await working()).serviceid,
    macAddress: "00:1A:79:AA:BB:CC",
    id: "mac",
  }),
  getProducts: () => ({}),
  getProduct: () => ({ pid: "1" }),
  getPromotion: () => ({ code: "WELCOME10" }),
  getResellersProducts: () => ({}),
  isReseller: () => ({ email: EMAIL, userid: ana.userid }),
  resellerAuth: () => ({ ...visitor, email: "bob@example.test", password, existingReseller: false }),
  getActiveProducts: () => ({ clientid: clientid() }),
  "../aff/new_click": () => ({ aff_id: "77", referer: "https://blog.example.test/tv" }),
}

describe("the served billing API", () => {
  test.each(specifiedNames)(
    "%s takes the parameters of the specification and no other, and answers its fields with their types",
    async (name) => {
      const { method, request, response } = specifiedCalls[name]
      const values = await requests[name]()
      expect(Object.keys(values).toSorted()).toEqual(Object.keys(request).toSorted())
      expect(differences(values, request)).toEqual([])

      const { status, body } = await shop.call(name, values, { method, token: ana.token })

      expect([status, body.error || null]).toEqual([200, null])
      expect(differences(body, response)).toEqual([])
    },
  )

  test("order takes a reseller's plan as a list of ids, at its monthly price", async () => {
    const { pid, ...rest } = orderOf({ pid: "11", amount: "49.00" })
    const request = { ...rest, "pid[]": pid }
    const { status, body } = await shop.call("order", request, { token: ana.token })
    expect([status, differences(body, specifiedCalls.order.response)]).toEqual([200, []])
  })
})
