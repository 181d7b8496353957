import { z } from "zod"

/** A call of the billing API as the specification lists it, without extensions: parameters and answer by field, with their types. */
export type SpecifiedCall = {
  readonly method: "GET" | "POST"
  readonly request: Readonly<Record<string, z.ZodType>>
  /** Fields by their path in the JSON of the answer; empty if the specification states no answer. */
  readonly response: Readonly<Record<string, z.ZodType>>
}

const text = z.string()
const filled = z.string().min(1)
const truth = z.boolean()
const list = z.array(z.unknown())
const count = z.number().int()

const id = z.string().regex(/^[\w-]{1,64}$/)
const email = z.string().regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/)
const amount = z.string().regex(/^\d+\.\d\d$/)
const currency = z.string().regex(/^[A-Z]{3}$/)
const country = z.string().regex(/^[A-Z]{2}$/)
const address = z.union([z.ipv4(), z.ipv6()])
const gateway = z.enum(["offshore", "coinbase", "cryptomusgateway", "btcpay"])
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/)
/** A name, not a code: `spanish`. */
const language = z.string().regex(/^[a-z]+$/)
const encodedMap = z
  .string()
  .transform((map) => JSON.parse(map))
  .pipe(z.record(text, text))

const visitor = { email, password: filled, country, clientip: address, language, currency }
const service = { serviceid: id }
const link = { link: z.url() }

const product = {
  totalresults: count,
  "products.product": list,
  "products.product.0.pid": id,
  "products.product.0.pricing.EUR.monthly": z.string().regex(/^(\d+\.\d\d|-1\.00)$/),
  "products.product.0.configoptions.configoption": list,
  "products.product.0.customfields.customfield": list,
}

/** The calls below `/checkout/api` in the order of the specification (Billing API), and the click on an affiliate's link. */
export const specifiedCalls = {
  auth: { method: "POST", request: visitor, response: { token: filled } },
  authMiddleware: { method: "POST", request: { email }, response: { userid: id } },
  getProductCustomFields: { method: "GET", request: { id }, response: { Username: id, Password: id } },
  order: {
    method: "GET",
    request: {
      userid: id,
      ip: address,
      country,
      pid: id,
      paymentmethod: gateway,
      promocode: filled,
      affid: z.string().regex(/^\d+$/),
      amount,
      currency,
      configoptions: encodedMap,
      customfields: encodedMap,
      email,
    },
    response: { orderid: id, invoiceid: id, serviceids: id, fraud: truth, ...link },
  },
  getGateway: {
    method: "GET",
    request: {},
    response: { "paymentmethods.paymentmethod": list, "paymentmethods.paymentmethod.0.module": gateway },
  },
  addInvoice: {
    method: "GET",
    request: {
      userid: id,
      paymentmethod: gateway,
      serviceId: id,
      extraQuantity: z.string().regex(/^[1-9]\d*$/),
      price: amount,
    },
    response: { invoiceid: id },
  },
  checkFraud: { method: "GET", request: { ip: address }, response: { valid: truth } },
  fraudOrder: { method: "GET", request: { orderid: id }, response: {} },
  updateClientProduct: { method: "GET", request: { ...service, notes: text }, response: {} },
  cancelOrder: { method: "GET", request: { orderid: id, clientid: id }, response: {} },
  offshore: { method: "GET", request: { invoice: id, amount, currency }, response: link },
  coinbase: {
    method: "GET",
    request: { invoiceid: id, amount, currency, clientid: id, pid: id },
    response: link,
  },
  getClientProducts: {
    method: "GET",
    request: { clientid: id, ...service },
    response: {
      username: filled,
      password: filled,
      serverhostname: text,
      status: z.enum(["Pending", "Active", "Suspended", "Terminated", "Cancelled"]),
      name: filled,
      orderid: id,
      "customfields.customfield.0.id": id,
      "customfields.customfield.0.value": text,
      "configoptions.configoption": list,
      "configoptions.configoption.0.id": id,
      "configoptions.configoption.0.value": text,
    },
  },
  getResellerProducts: {
    method: "GET",
    request: { clientid: id, ...service },
    response: { error: z.literal(""), name: filled, status: filled, orderid: id },
  },
  moduleTerminate: { method: "GET", request: service, response: {} },
  moduleCreate: { method: "GET", request: service, response: {} },
  restartService: { method: "GET", request: service, response: {} },
  updateMacAddress: {
    method: "GET",
    request: { ...service, macAddress: z.string().regex(/^([0-9A-F]{2}:){5}[0-9A-F]{2}$/), id },
    response: { result: z.literal("OK") },
  },
  getProducts: { method: "GET", request: {}, response: product },
  getProduct: { method: "GET", request: { pid: id }, response: {} },
  getPromotion: {
    method: "GET",
    request: { code: filled },
    response: {
      result: z.literal("success"),
      message: text,
      totalresults: count,
      "promotions.promotion": list,
      "promotions.promotion.0.code": filled,
      "promotions.promotion.0.appliesto": z.string().regex(/^\w+(,\w+)*$/),
      "promotions.promotion.0.type": z.enum(["Percentage", "Fixed Amount"]),
      "promotions.promotion.0.value": amount,
      "promotions.promotion.0.startdate": day,
      "promotions.promotion.0.expirationdate": day,
    },
  },
  getResellersProducts: { method: "GET", request: {}, response: {} },
  isReseller: { method: "GET", request: { email, userid: id }, response: { error: text, reseller: truth } },
  resellerAuth: {
    method: "POST",
    request: { ...visitor, existingReseller: truth },
    response: {},
  },
  getActiveProducts: { method: "GET", request: { clientid: id }, response: {} },
  "../aff/new_click": {
    method: "POST",
    request: { aff_id: z.string().regex(/^\d+$/), referer: filled },
    response: {},
  },
} as const satisfies Readonly<Record<string, SpecifiedCall>>

export type SpecifiedName = keyof typeof specifiedCalls

export const specifiedNames = Object.keys(specifiedCalls) as SpecifiedName[]

/** The fields that are missing in `values` or have another type, each with its value: empty if none is. */
export function differences(values: unknown, fields: Readonly<Record<string, z.ZodType>>): readonly string[] {
  return Object.entries(fields)
    .map(([path, type]) => ({ path, type, value: valueAt(values, path) }))
    .filter(({ type, value }) => !type.safeParse(value).success)
    .map(({ path, value }) => `${path}: ${JSON.stringify(value)}`)
}

function valueAt(values: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => Object(value)[name], values)
}
