import { z } from "zod"
import { locales } from "~/domain/locales"
import { currencies } from "~/domain/money/money"
import type { Call } from "./api-client.server"
import {
  AnyResponse,
  Flag,
  listOf,
  Name,
  OptionalExternalId,
  required,
  Something,
  TextField,
} from "./lenient-schema"
import { ProductList, SingleProduct } from "./product-schema"
import { PromotionsResponse } from "./promotion-schema"
import { ServicesResponse } from "./service-schema"

const localeCodes = locales.map(({ code }) => code)

const reads = <T>(path: string, responseSchema: z.ZodType<T>): Call<T> => ({
  method: "GET",
  path,
  writes: false,
  responseSchema,
})
const writes = <T>(path: string, responseSchema: z.ZodType<T>): Call<T> => ({
  method: "GET",
  path,
  writes: true,
  responseSchema,
})
const posts = <T>(path: string, responseSchema: z.ZodType<T>): Call<T> => ({
  method: "POST",
  path,
  writes: true,
  responseSchema,
})

/** Payment URL: the response itself, or one of these fields. */
const linkNames = ["link", "url", "payment_link", "payment_url", "hosted_url"]
const Link = z.union([
  z.string(),
  z
    .record(z.string(), z.unknown())
    .transform((fields) => linkNames.map((name) => fields[name]).find((it) => typeof it === "string"))
    .pipe(z.string("link not found")),
])

/** Response of the account calls. `error` is a rejection with status 200; extras come last. */
const AuthResponse = z.object({
  token: TextField,
  userid: OptionalExternalId,
  error: Something,
  email: TextField,
  locale: z.enum(localeCodes).optional().catch(undefined),
  currency: z.enum(currencies).optional().catch(undefined),
  reach: z.enum(["account", "sign-up"]).optional().catch(undefined),
  passwordid: z.string().min(1).max(64).optional().catch(undefined),
})
export type AuthResponse = z.output<typeof AuthResponse>

/** A password is wrong only if the answer is one to that question: the JSON of another call says nothing of it. */
const Proven = z
  .unknown()
  .refine(
    (value) => ["token", "userid", "error"].some((name) => Object.hasOwn(Object(value), name)),
    "names neither a token nor an error",
  )
  .pipe(AuthResponse)

/** Customer of an e-mail. An error or an empty `userid` means that no customer has it. */
const Named = AuthResponse.extend({ userid: required(OptionalExternalId) })
const NoOne = AuthResponse.refine(({ error }) => error)

const Reseller = z.object({ error: Something, reseller: required(Something) })
const NoReseller = z.object({ error: Something, reseller: Something }).refine(({ error }) => error)

/** First id of an array or comma-separated list: an order of this shop creates one service. */
const FirstName = z
  .union([z.string(), z.number(), z.array(z.union([z.string(), z.number()])), z.null()])
  .optional()
  .transform(
    (value) =>
      String(Array.isArray(value) ? (value[0] ?? "") : (value ?? ""))
        .split(",")[0]
        ?.trim() || null,
  )

const Amount = TextField.pipe(z.string().regex(/^\d{1,9}(\.\d{1,2}0*)?$/))

const TaxRate = TextField.pipe(z.string().regex(/^\d{1,3}(\.\d{1,4})?$/))

/** Total and tax of an invoice under the names that WHMCS has for them; a rate is in percent. What is no amount, is not told. */
const Taxed = z.object({
  currency: z.enum(currencies).optional().catch(undefined),
  total: Amount.optional().catch(undefined),
  tax: Amount.optional().catch(undefined),
  taxrate: TaxRate.optional().catch(undefined),
  tax2: Amount.optional().catch(undefined),
  taxrate2: TaxRate.optional().catch(undefined),
})
export type TaxedResponse = z.output<typeof Taxed>

const Placed = Taxed.extend({
  orderid: Name,
  invoiceid: OptionalExternalId,
  serviceids: FirstName,
  fraud: Flag,
  link: TextField,
})

const Field = z.object({ id: Name, name: TextField })

/** Extra: status of an invoice, with its order and service. */
const Invoice = Taxed.extend({
  invoiceid: Name,
  orderid: OptionalExternalId,
  serviceids: FirstName,
  status: z.string().min(1),
  received: Amount.optional().catch(undefined),
  link: TextField,
})
export type InvoiceResponse = z.output<typeof Invoice>

/** Custom fields as `{Username: 11, Password: 12}`, or in the form of a product. */
const Fields = z.union([
  z.object({ customfields: required(listOf("customfield", Field)) }).transform((it) => it.customfields),
  z.array(Field),
  z
    .record(z.string(), TextField)
    .transform((fields) => Object.entries(fields).map(([name, id]) => ({ name, id }))),
])

/** Calls of the billing API (specification, Billing API). The extras, which a server may not support, come last. */
export const calls = {
  auth: posts("auth", AuthResponse),
  authMiddleware: { ...posts("authMiddleware", z.union([Named, NoOne])), writes: false },
  resellerAuth: posts("resellerAuth", Proven),
  isReseller: reads("isReseller", z.union([Reseller, NoReseller])),
  checkFraud: reads("checkFraud", z.object({ valid: required(Flag) })),
  newClick: posts("../aff/new_click", AnyResponse),

  getProducts: reads("getProducts", ProductList),
  getResellersProducts: reads("getResellersProducts", ProductList),
  getProduct: reads("getProduct", SingleProduct),
  getProductCustomFields: reads("getProductCustomFields", Fields),
  getPromotion: reads("getPromotion", PromotionsResponse),
  getGateway: reads(
    "getGateway",
    z.object({
      paymentmethods: required(listOf("paymentmethod", z.object({ module: Name, origin: TextField }))),
      extras: z.array(z.string()).optional().catch(undefined),
    }),
  ),

  order: writes("order", Placed),
  addInvoice: writes(
    "addInvoice",
    Taxed.extend({ invoiceid: Name, orderid: OptionalExternalId, link: TextField }),
  ),
  cancelOrder: writes("cancelOrder", AnyResponse),
  fraudOrder: writes("fraudOrder", AnyResponse),
  offshore: writes("offshore", Link),
  coinbase: writes("coinbase", Link),

  getClientProducts: reads("getClientProducts", ServicesResponse),
  getActiveProducts: reads("getActiveProducts", ServicesResponse),
  getResellerProducts: reads("getResellerProducts", z.object({ error: Something, status: TextField })),
  moduleCreate: writes("moduleCreate", AnyResponse),
  moduleTerminate: writes("moduleTerminate", AnyResponse),
  restartService: writes("restartService", AnyResponse),
  updateClientProduct: writes("updateClientProduct", AnyResponse),
  updateMacAddress: writes("updateMacAddress", z.object({ result: Flag })),

  invoice: reads("invoice", Invoice),
  cryptomus: writes("cryptomus", Link),
  btcpay: writes("btcpay", Link),
  setPassword: posts("setPassword", AnyResponse),
  endSignUpPassword: posts("endSignUpPassword", z.object({ ended: z.boolean() })),
} as const
