import { oldPlans, oldPromotions, oldRefusals, oldResellerPlans } from "./legacy-billing-catalogue"
import type { LegacyStore, OldService } from "./legacy-billing-store"

/** `params`: the query or the body, unparsed. */
type LegacyHandler = (store: LegacyStore, request: { params: Readonly<Record<string, string>> }) => unknown
type Call = { readonly method: "GET" | "POST"; readonly needsToken?: true; readonly handler: LegacyHandler }

const error = (message: string) => ({ result: "error", message })
const done = { result: "success" }

const owned = (handler: LegacyHandler): Call => ({ method: "GET", needsToken: true, handler })
const open = (handler: LegacyHandler): Call => ({ method: "GET", handler })
const post = (handler: LegacyHandler): Call => ({ method: "POST", handler })

/** Exactly the calls of the specification's table (Billing API). Unknown parameters are ignored. */
export const oldCalls: Readonly<Record<string, Call>> = {
  "/auth": post((store, { params }) => {
    const client =
      store.clientOf(params.email ?? "") ?? store.addClient(params.email ?? "", params.password ?? "")
    return { token: store.tokenFor(client.id) }
  }),
  "/authMiddleware": post((store, { params }) => ({ userid: store.clientOf(params.email ?? "")?.id ?? "" })),
  "/resellerAuth": post((store, { params }) => {
    const client = store.clientOf(params.email ?? "")
    if (params.existingReseller === "true") {
      if (!client || client.password !== params.password) return error("Email or Password Invalid")
      return { token: store.tokenFor(client.id), userid: client.id }
    }
    if (client) return error("A user already exists with that email address")
    const { id } = store.addClient(params.email ?? "", params.password ?? "")
    return { token: store.tokenFor(id), userid: id }
  }),

  "/getProducts": open(() => oldPlans),
  "/getResellersProducts": open(() => oldResellerPlans),
  "/getProduct": open((_, { params }) => {
    const product = Object.values(oldPlans.products.product).find(({ pid }) => String(pid) === params.pid)
    return product ? { result: "success", totalresults: "1", products: { product } } : error("No product")
  }),
  "/getProductCustomFields": open(() => ({ Username: "11", Password: "12" })),
  "/getGateway": open(() => ({
    paymentmethods: {
      paymentmethod: [
        { module: "offshore", displayname: "Cards" },
        { module: "coinbase", displayname: "Coins" },
        { module: "cryptomusgateway", displayname: "More coins" },
      ],
    },
  })),
  "/getPromotion": open((_, { params }) => {
    const code = params.code?.toUpperCase() ?? ""
    const refusal = oldRefusals[code]
    if (refusal) return refusal
    const promotion = oldPromotions[code]
    if (!promotion) return { result: "success", totalresults: "0", promotions: "" }
    return { result: "success", totalresults: "1", promotions: { promotion } }
  }),
  "/checkout/aff/new_click": post(() => ({ result: "OK" })),
  "/checkFraud": open((_, { params }) => ({ valid: params.ip === "203.0.113.66" ? "false" : "true" })),
  "/isReseller": open((store, { params }) => {
    const isOne = store.servicesOf(params.userid ?? "").some(({ pid }) => pid === "21")
    return isOne ? { error: "", reseller: "1" } : { error: "No reseller", reseller: "" }
  }),

  "/order": owned((store, { params }) => {
    const [id, orderId, invoiceId] = [store.newId(), store.newId(), store.newId()]
    const fields = mapIn(params.customfields)
    const service = { id, orderId, clientId: params.userid ?? "", pid: params.pid ?? params["pid[]"] ?? "" }
    const access = { username: fields["11"] ?? "", password: fields["12"] ?? "" }
    const rest = { status: "Pending", notes: "", mac: "", extra: mapIn(params.configoptions)["2"] ? 1 : 0 }
    store.services.set(id, { ...service, ...access, ...rest })
    const { amount = "", currency = "" } = params
    store.invoices.set(invoiceId, {
      id: invoiceId,
      orderId,
      serviceId: id,
      amount,
      currency,
      adds: 0,
      isPaid: false,
    })
    return { orderid: orderId, invoiceid: Number(invoiceId), serviceids: id, fraud: "0", link: "" }
  }),
  "/addInvoice": owned((store, { params }) => {
    const [id, adds] = [store.newId(), Number(params.extraQuantity)]
    const bill = {
      orderId: null,
      serviceId: params.serviceId ?? "",
      amount: params.price ?? "",
      currency: "",
    }
    store.invoices.set(id, { id, ...bill, adds, isPaid: false })
    return { ...done, invoiceid: id }
  }),
  "/cancelOrder": owned((store, { params }) => closed(store, params.orderid, "Cancelled")),
  "/fraudOrder": owned((store, { params }) => closed(store, params.orderid, "Fraud")),
  "/offshore": owned((_, { params }) => `https://pay.example.test/i/${params.invoice}`),
  "/coinbase": owned((_, { params }) => ({ link: `https://coins.example.test/i/${params.invoiceid}` })),

  "/getClientProducts": owned((store, { params }) => {
    const of = store.servicesOf(params.clientid ?? "")
    const found = params.serviceid ? of.filter(({ id }) => id === params.serviceid) : of
    const [one = "", ...others] = found.map(result)
    const product = others.length > 0 ? [one, ...others] : one
    return { ...done, totalresults: String(found.length), products: one === "" ? "" : { product } }
  }),
  "/getActiveProducts": owned((store, { params }) => {
    const active = store.servicesOf(params.clientid ?? "").filter(({ status }) => status === "Active")
    return { ...done, products: active.length > 0 ? { product: active.map(result) } : "" }
  }),
  "/getResellerProducts": owned((store, { params }) => {
    const service = store.services.get(params.serviceid ?? "")
    const isReseller = service && (service.pid === "21" || store.retiredResellerProducts.has(service.pid))
    if (!isReseller) return { error: "No reseller product" }
    return { error: "", name: "Reseller 10", status: service.status, orderid: service.orderId }
  }),
  "/moduleCreate": owned((store, { params }) => moved(store, params.serviceid, "Active")),
  "/moduleTerminate": owned((store, { params }) => moved(store, params.serviceid, "Terminated")),
  "/restartService": owned((store, { params }) => moved(store, params.serviceid, null)),
  "/updateClientProduct": owned((store, { params }) => {
    const service = store.services.get(params.serviceid ?? "")
    if (service) service.notes = params.notes ?? ""
    return service ? done : error("Service ID Not Found")
  }),
  "/updateMacAddress": owned((store, { params }) => {
    const service = store.services.get(params.serviceid ?? "")
    if (!service || params.id !== "13") return { result: "Failed" }
    service.mac = params.macAddress ?? ""
    return { result: "OK" }
  }),
}

function result(service: OldService) {
  const { id, orderId: orderid, clientId: clientid, pid, username, password, status, notes } = service
  return {
    id,
    orderid,
    clientid,
    pid,
    username,
    password,
    status,
    notes,
    name: pid === "21" ? "Reseller 10" : "1 month",
    serverhostname: status === "Active" ? "line.example.test" : "",
    billingcycle: "Monthly",
    regdate: "2026-11-20",
    customfields: { customfield: { id: "13", name: "MAC Address", value: service.mac } },
    configoptions: {
      configoption: [{ id: "2", option: "Extra connection", type: "quantity", value: String(service.extra) }],
    },
  }
}

function closed(store: LegacyStore, orderId: string | undefined, status: string) {
  const service = store.ofOrder(orderId ?? "")
  if (service?.status !== "Pending") return error("Order ID not found or Status not Pending")
  service.status = status
  return done
}

function moved(store: LegacyStore, serviceId: string | undefined, status: string | null) {
  const service = store.services.get(serviceId ?? "")
  if (!service) return error("Service ID not found")
  service.status = status ?? service.status
  return done
}

/** Parses the maps of an order, which are JSON in this API. */
function mapIn(text: string | undefined): Readonly<Record<string, string>> {
  const map: unknown = JSON.parse(text || "{}")
  return Object.fromEntries(Object.entries(map ?? {}).map(([key, value]) => [key, String(value)]))
}
