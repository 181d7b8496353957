import { oldPlans, oldPromotions, oldResellerPlans } from "./legacy-billing-catalogue"
import type { OldBooks, OldService } from "./legacy-billing-store"

/** `said`: the query or the body, as it came. */
type LegacyHandler = (books: OldBooks, question: { said: Readonly<Record<string, string>> }) => unknown
type Call = { readonly method: "GET" | "POST"; readonly needsToken?: true; readonly answer: LegacyHandler }

const error = (message: string) => ({ result: "error", message })
const done = { result: "success" }

const owned = (answer: LegacyHandler): Call => ({ method: "GET", needsToken: true, answer })
const open = (answer: LegacyHandler): Call => ({ method: "GET", answer })
const post = (answer: LegacyHandler): Call => ({ method: "POST", answer })

/** Section 7 of the spec, call by call, and nothing else. What a call does not know it does not look at. */
export const oldCalls: Readonly<Record<string, Call>> = {
  "/auth": post((books, { said }) => {
    const client = books.clientOf(said.email ?? "") ?? books.addClient(said.email ?? "", said.password ?? "")
    return { token: books.tokenFor(client.id) }
  }),
  "/authMiddleware": post((books, { said }) => ({ userid: books.clientOf(said.email ?? "")?.id ?? "" })),
  "/resellerAuth": post((books, { said }) => {
    const client = books.clientOf(said.email ?? "")
    if (said.existingReseller === "true") {
      if (!client || client.password !== said.password) return error("Email or Password Invalid")
      return { token: books.tokenFor(client.id), userid: client.id }
    }
    if (client) return error("A user already exists with that email address")
    const { id } = books.addClient(said.email ?? "", said.password ?? "")
    return { token: books.tokenFor(id), userid: id }
  }),

  "/getProducts": open(() => oldPlans),
  "/getResellersProducts": open(() => oldResellerPlans),
  "/getProduct": open((_, { said }) => {
    const product = Object.values(oldPlans.products.product).find(({ pid }) => String(pid) === said.pid)
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
  "/getPromotion": open((_, { said }) => {
    const promotion = oldPromotions[said.code?.toUpperCase() ?? ""]
    if (!promotion) return { result: "success", totalresults: "0", promotions: "" }
    return { result: "success", totalresults: "1", promotions: { promotion } }
  }),
  "/checkout/aff/new_click": post(() => ({ result: "OK" })),
  "/checkFraud": open((_, { said }) => ({ valid: said.ip === "203.0.113.66" ? "false" : "true" })),
  "/isReseller": open((books, { said }) => {
    const isOne = books.servicesOf(said.userid ?? "").some(({ pid }) => pid === "21")
    return isOne ? { error: "", reseller: "1" } : { error: "No reseller", reseller: "" }
  }),

  "/order": owned((books, { said }) => {
    const [id, orderId, invoiceId] = [books.newId(), books.newId(), books.newId()]
    const fields = mapIn(said.customfields)
    const service = { id, orderId, clientId: said.userid ?? "", pid: said.pid ?? said["pid[]"] ?? "" }
    const access = { username: fields["11"] ?? "", password: fields["12"] ?? "" }
    const rest = { status: "Pending", notes: "", mac: "", extra: mapIn(said.configoptions)["2"] ? 1 : 0 }
    books.services.set(id, { ...service, ...access, ...rest })
    const { amount = "", currency = "" } = said
    books.invoices.set(invoiceId, {
      ...{ id: invoiceId, orderId, serviceId: id, amount, currency, adds: 0, isPaid: false },
    })
    return { orderid: orderId, invoiceid: Number(invoiceId), serviceids: id, fraud: "0", link: "" }
  }),
  "/addInvoice": owned((books, { said }) => {
    const [id, adds] = [books.newId(), Number(said.extraQuantity)]
    const bill = { orderId: null, serviceId: said.serviceId ?? "", amount: said.price ?? "", currency: "" }
    books.invoices.set(id, { id, ...bill, adds, isPaid: false })
    return { ...done, invoiceid: id }
  }),
  "/cancelOrder": owned((books, { said }) => closed(books, said.orderid, "Cancelled")),
  "/fraudOrder": owned((books, { said }) => closed(books, said.orderid, "Fraud")),
  "/offshore": owned((_, { said }) => `https://pay.example.test/i/${said.invoice}`),
  "/coinbase": owned((_, { said }) => ({ link: `https://coins.example.test/i/${said.invoiceid}` })),

  "/getClientProducts": owned((books, { said }) => {
    const of = books.servicesOf(said.clientid ?? "")
    const found = said.serviceid ? of.filter(({ id }) => id === said.serviceid) : of
    const [one = "", ...others] = found.map(told)
    const product = others.length > 0 ? [one, ...others] : one
    return { ...done, totalresults: String(found.length), products: one === "" ? "" : { product } }
  }),
  "/getActiveProducts": owned((books, { said }) => {
    const active = books.servicesOf(said.clientid ?? "").filter(({ status }) => status === "Active")
    return { ...done, products: active.length > 0 ? { product: active.map(told) } : "" }
  }),
  "/getResellerProducts": owned((books, { said }) => {
    const service = books.services.get(said.serviceid ?? "")
    if (service?.pid !== "21") return { error: "No reseller product" }
    return { error: "", name: "Reseller 10", status: service.status, orderid: service.orderId }
  }),
  "/moduleCreate": owned((books, { said }) => moved(books, said.serviceid, "Active")),
  "/moduleTerminate": owned((books, { said }) => moved(books, said.serviceid, "Terminated")),
  "/restartService": owned((books, { said }) => moved(books, said.serviceid, null)),
  "/updateClientProduct": owned((books, { said }) => {
    const service = books.services.get(said.serviceid ?? "")
    if (service) service.notes = said.notes ?? ""
    return service ? done : error("Service ID Not Found")
  }),
  "/updateMacAddress": owned((books, { said }) => {
    const service = books.services.get(said.serviceid ?? "")
    if (!service || said.id !== "13") return { result: "Failed" }
    service.mac = said.macAddress ?? ""
    return { result: "OK" }
  }),
}

function told(service: OldService) {
  const { id, orderId: orderid, clientId: clientid, pid, username, password, status, notes } = service
  return {
    ...{
      id,
      orderid,
      clientid,
      pid,
      username,
      password,
      status,
      notes,
      name: pid === "21" ? "Reseller 10" : "1 month",
    },
    ...{ serverhostname: status === "Active" ? "line.example.test" : "", billingcycle: "Monthly" },
    ...{
      regdate: "2026-11-20",
      customfields: { customfield: { id: "13", name: "MAC Address", value: service.mac } },
    },
    configoptions: {
      configoption: [{ id: "2", option: "Extra connection", type: "quantity", value: String(service.extra) }],
    },
  }
}

function closed(books: OldBooks, orderId: string | undefined, status: string) {
  const service = books.ofOrder(orderId ?? "")
  if (service?.status !== "Pending") return error("Order ID not found or Status not Pending")
  service.status = status
  return done
}

function moved(books: OldBooks, serviceId: string | undefined, status: string | null) {
  const service = books.services.get(serviceId ?? "")
  if (!service) return error("Service ID not found")
  service.status = status ?? service.status
  return done
}

/** The maps of an order, which are JSON here. */
function mapIn(text: string | undefined): Readonly<Record<string, string>> {
  const map: unknown = JSON.parse(text || "{}")
  return Object.fromEntries(Object.entries(map ?? {}).map(([key, value]) => [key, String(value)]))
}
