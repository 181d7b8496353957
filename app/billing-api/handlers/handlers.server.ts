import { type Call, type CallName, calls } from "~/billing-api/contract/endpoints"
import {
  auth,
  authMiddleware,
  endSignUpPassword,
  isReseller,
  resellerAuth,
  setPassword,
} from "./accounts.server"
import { addInvoice } from "./add-invoice.server"
import { ApiError } from "./api-error"
import {
  getGateway,
  getProduct,
  getProductCustomFields,
  getProducts,
  getPromotion,
  getResellersProducts,
} from "./catalogue.server"
import { restartService, updateClientProduct, updateMacAddress } from "./change-service.server"
import { checkFraud } from "./check-fraud.server"
import { cancelOrder, fraudOrder } from "./end-unpaid-order.server"
import { invoice } from "./get-invoice.server"
import { getActiveProducts, getClientProducts, getResellerProducts } from "./get-services.server"
import { listEvents } from "./list-events.server"
import { moduleCreate, moduleTerminate } from "./module-commands.server"
import type { ApiCall } from "./ownership"
import { offshore, payBy } from "./payment-link.server"
import { order } from "./place-order.server"

/** Handler of a call. `value`: the unvalidated parameters. Throws `ApiError` and the errors of upstreams. */
type Handler = (api: ApiCall, value: unknown) => Promise<unknown>

type Output<S extends Call["request"]> = S["_zod"]["output"]
type Input<A extends Call["response"]> = A["_zod"]["input"]

/** Wraps a handler so that it receives validated parameters; throws 400 with all field errors for invalid ones. */
function by<S extends Call["request"], A extends Call["response"]>(
  { request: shape }: Call<S, A>,
  flow: (api: ApiCall, request: Output<S>) => Promise<Input<A>>,
): Handler {
  return async (api, value) => {
    const read = shape.safeParse(value)
    if (read.success) return flow(api, read.data)
    const messages = read.error.issues.map(
      ({ path, message }) => `${path.join(".")}: ${isMissing(value, path) ? "missing" : message}`,
    )
    throw new ApiError("bad-request", messages.join("; "))
  }
}

function isMissing(value: unknown, [name]: readonly PropertyKey[]): boolean {
  return name !== undefined && typeof value === "object" && value !== null && !Object.hasOwn(value, name)
}

export const handlers: Readonly<Record<CallName, Handler>> = {
  auth: by(calls.auth, auth),
  authMiddleware: by(calls.authMiddleware, authMiddleware),
  getProductCustomFields: by(calls.getProductCustomFields, getProductCustomFields),
  order: by(calls.order, order),
  getGateway: by(calls.getGateway, getGateway),
  addInvoice: by(calls.addInvoice, addInvoice),
  checkFraud: by(calls.checkFraud, checkFraud),
  fraudOrder: by(calls.fraudOrder, fraudOrder),
  updateClientProduct: by(calls.updateClientProduct, updateClientProduct),
  cancelOrder: by(calls.cancelOrder, cancelOrder),
  offshore: by(calls.offshore, offshore),
  coinbase: by(calls.coinbase, payBy("coinbase")),
  getClientProducts: by(calls.getClientProducts, getClientProducts),
  getResellerProducts: by(calls.getResellerProducts, getResellerProducts),
  moduleTerminate: by(calls.moduleTerminate, moduleTerminate),
  moduleCreate: by(calls.moduleCreate, moduleCreate),
  restartService: by(calls.restartService, restartService),
  updateMacAddress: by(calls.updateMacAddress, updateMacAddress),
  getProducts: by(calls.getProducts, getProducts),
  getProduct: by(calls.getProduct, getProduct),
  getPromotion: by(calls.getPromotion, getPromotion),
  getResellersProducts: by(calls.getResellersProducts, getResellersProducts),
  isReseller: by(calls.isReseller, isReseller),
  resellerAuth: by(calls.resellerAuth, resellerAuth),
  getActiveProducts: by(calls.getActiveProducts, getActiveProducts),
  invoice: by(calls.invoice, invoice),
  cryptomus: by(calls.cryptomus, payBy("cryptomusgateway")),
  btcpay: by(calls.btcpay, payBy("btcpay")),
  setPassword: by(calls.setPassword, setPassword),
  endSignUpPassword: by(calls.endSignUpPassword, endSignUpPassword),
  events: by(calls.events, listEvents),
}
