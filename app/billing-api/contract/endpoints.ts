import type { z } from "zod"
import { Click, CodeRequest, EmptyRequest, ProductRef, ProductRequest, ProductsRequest } from "./catalogue"
import {
  Account,
  AddressRequest,
  AuthenticatedAccount,
  AuthRequest,
  CustomerNamed,
  EmailRequest,
  FraudCheckResponse,
  IsResellerResponse,
  KnownCustomer,
  PasswordEnded,
  PasswordRequest,
  ResellerAuthRequest,
  ResellerRequest,
  SuccessResponse,
} from "./customers"
import { EventsRequest, EventsResponse } from "./events"
import {
  Gateways,
  Invoice,
  InvoiceRequest,
  OffshoreRequest,
  OrderRef,
  OrderRequest,
  OrderResponse,
  PayLink,
  PaymentLinkRequest,
  UpsellRequest,
} from "./orders"
import { Fields, ProductListSchema } from "./products"
import { Promotions } from "./promotions"
import {
  CustomerRequest,
  DeviceRequest,
  NotesRequest,
  OneServiceRequest,
  ResellerService,
  ServiceList,
  ServiceMade,
  ServiceRef,
  ServiceRequest,
  ServicesResponse,
  UpdateMacResponse,
} from "./services"

/** One endpoint: schemas of its request (query of a GET, JSON body of a POST) and its response. */
export type Call<S extends z.ZodObject = z.ZodObject, A extends z.ZodObject = z.ZodObject> = {
  readonly method: "GET" | "POST"
  /** Requires the Bearer token of the customer that the call is about. */
  readonly owned: boolean
  readonly summary: string
  readonly request: S
  readonly response: A
}

type Shapes<S, A> = { readonly request: S; readonly response: A }
type Make = <S extends z.ZodObject, A extends z.ZodObject>(
  summary: string,
  shapes: Shapes<S, A>,
) => Call<S, A>

const open: Make = (summary, shapes) => ({ method: "GET", owned: false, summary, ...shapes })
const owned: Make = (summary, shapes) => ({ method: "GET", owned: true, summary, ...shapes })
const posted: Make = (summary, shapes) => ({ method: "POST", owned: false, summary, ...shapes })

/** Endpoints below `/checkout/api`: those of the specification (Billing API) in its order, then extensions. */
export const calls = {
  auth: posted("Find or create a customer by email. The password is ignored; use resellerAuth to verify it", {
    request: AuthRequest,
    response: Account,
  }),
  authMiddleware: posted("Find a customer by email", { request: EmailRequest, response: KnownCustomer }),
  getProductCustomFields: open("List the custom fields for the credentials of a line", {
    request: ProductRef,
    response: Fields,
  }),
  order: owned("Order a plan. Responds 409 price-changed if amount does not match the price", {
    request: OrderRequest,
    response: OrderResponse,
  }),
  getGateway: open("List payment methods", { request: EmptyRequest, response: Gateways }),
  addInvoice: owned("Order extra connections for a service", {
    request: UpsellRequest,
    response: OrderResponse,
  }),
  checkFraud: open("Check whether orders from an IP address are accepted", {
    request: AddressRequest,
    response: FraudCheckResponse,
  }),
  fraudOrder: owned("Put an unpaid order on hold as suspected fraud", {
    request: OrderRef,
    response: SuccessResponse,
  }),
  updateClientProduct: owned("Set the customer's notes on a service", {
    request: NotesRequest,
    response: SuccessResponse,
  }),
  cancelOrder: owned("Cancel an unpaid order", { request: OrderRef, response: SuccessResponse }),
  offshore: owned("Create a payment link for an invoice", { request: OffshoreRequest, response: PayLink }),
  coinbase: owned("Create a payment link for an invoice", { request: PaymentLinkRequest, response: PayLink }),
  getClientProducts: owned("List a customer's services, or get one of them", {
    request: ServiceRequest,
    response: ServicesResponse,
  }),
  getResellerProducts: owned("Get a reseller service", {
    request: OneServiceRequest,
    response: ResellerService,
  }),
  moduleTerminate: owned("Terminate a line", { request: ServiceRef, response: SuccessResponse }),
  moduleCreate: owned("Provision the line of a service, or recreate a terminated one", {
    request: ServiceMade,
    response: SuccessResponse,
  }),
  restartService: owned("Restart a line: disconnect its active streams", {
    request: ServiceRef,
    response: SuccessResponse,
  }),
  updateMacAddress: owned("Set the MAC address of a line", {
    request: DeviceRequest,
    response: UpdateMacResponse,
  }),
  getProducts: open("List plans", { request: ProductsRequest, response: ProductListSchema }),
  getProduct: open("Get a plan", { request: ProductRequest, response: ProductListSchema }),
  getPromotion: open("Get the promotion of a promo code", { request: CodeRequest, response: Promotions }),
  getResellersProducts: open("List reseller plans", {
    request: ProductsRequest,
    response: ProductListSchema,
  }),
  isReseller: open("Check whether a customer is a reseller", {
    request: ResellerRequest,
    response: IsResellerResponse,
  }),
  resellerAuth: posted("Verify a reseller's password, or create an account", {
    request: ResellerAuthRequest,
    response: AuthenticatedAccount,
  }),
  getActiveProducts: owned("List a customer's active services", {
    request: CustomerRequest,
    response: ServiceList,
  }),

  invoice: owned("Get the status of an order by invoice, idempotency key or order id", {
    request: InvoiceRequest,
    response: Invoice,
  }),
  cryptomus: owned("Create a payment link for an invoice", {
    request: PaymentLinkRequest,
    response: PayLink,
  }),
  btcpay: owned("Create a payment link for an invoice", { request: PaymentLinkRequest, response: PayLink }),
  setPassword: {
    ...posted("Set a customer's password", { request: PasswordRequest, response: SuccessResponse }),
    owned: true,
  },
  endSignUpPassword: {
    ...posted("Revoke a password chosen at sign-up, after its owner has verified the email another way", {
      request: CustomerNamed,
      response: PasswordEnded,
    }),
    owned: true,
  },
  events: open("List the events of the shop, see docs/webhooks.md", {
    request: EventsRequest,
    response: EventsResponse,
  }),
} as const satisfies Readonly<Record<string, Call>>

export type CallName = keyof typeof calls

/** The endpoint `/checkout/aff/new_click`, the only one outside `/checkout/api`. */
export const newClick = posted("Record a click on an affiliate link", {
  request: Click,
  response: SuccessResponse,
})

export type RequestOf<N extends CallName> = z.output<(typeof calls)[N]["request"]>
export type ResponseOf<N extends CallName> = z.input<(typeof calls)[N]["response"]>

export function isCallName(name: string | undefined): name is CallName {
  return name !== undefined && Object.hasOwn(calls, name)
}
