import type { z } from "zod"
import { Click, CodeAsked, Nothing, ProductAsked, ProductNamed } from "./catalogue"
import {
  Account,
  AddressSaid,
  CustomerNamed,
  Done,
  EmailSaid,
  KnownCustomer,
  PasswordEnded,
  PasswordSaid,
  ProvenAccount,
  ResellerAsked,
  ResellerSaid,
  ResellerTold,
  VisitorSaid,
  Welcome,
} from "./customers"
import {
  Gateways,
  Invoice,
  InvoiceAsked,
  OffshoreSaid,
  OrderNamed,
  OrderSaid,
  OrderTold,
  PayLink,
  PaymentSaid,
  UpsellSaid,
} from "./orders"
import { Fields, GoodsList } from "./products"
import { Promotions } from "./promotions"
import {
  CustomerAsked,
  DeviceSaid,
  DeviceTied,
  NotesSaid,
  OneServiceAsked,
  ResellerService,
  ServiceAsked,
  ServiceList,
  ServiceMade,
  ServiceNamed,
  ServicesTold,
} from "./services"

/** One call: what it is asked with (the query of a GET, the JSON body of a POST), and what it answers. */
export type Call<S extends z.ZodObject = z.ZodObject, A extends z.ZodObject = z.ZodObject> = {
  readonly method: "GET" | "POST"
  /** It is about a customer, who is named by a Bearer token. */
  readonly owned: boolean
  readonly words: string
  readonly said: S
  readonly told: A
}

type Shapes<S, A> = { readonly said: S; readonly told: A }
type Make = <S extends z.ZodObject, A extends z.ZodObject>(words: string, shapes: Shapes<S, A>) => Call<S, A>

const open: Make = (words, shapes) => ({ method: "GET", owned: false, words, ...shapes })
const owned: Make = (words, shapes) => ({ method: "GET", owned: true, words, ...shapes })
const posted: Make = (words, shapes) => ({ method: "POST", owned: false, words, ...shapes })

/** The calls of the spec's section 7 below `/checkout/api`, in its order; extras stand at the end. */
export const calls = {
  auth: posted("Find or create a customer by email. The password is ignored; use resellerAuth to verify it", {
    ...{ said: VisitorSaid, told: Account },
  }),
  authMiddleware: posted("Find a customer by email", { said: EmailSaid, told: KnownCustomer }),
  getProductCustomFields: open("List the custom fields for the credentials of a line", {
    ...{ said: ProductNamed, told: Fields },
  }),
  order: owned("Order a plan. Responds 409 price-changed if amount does not match the price", {
    ...{ said: OrderSaid, told: OrderTold },
  }),
  getGateway: open("List payment methods", { said: Nothing, told: Gateways }),
  addInvoice: owned("Order extra connections for a service", { said: UpsellSaid, told: OrderTold }),
  checkFraud: open("Check whether orders from an IP address are accepted", {
    said: AddressSaid,
    told: Welcome,
  }),
  fraudOrder: owned("Put an unpaid order on hold as suspected fraud", { said: OrderNamed, told: Done }),
  updateClientProduct: owned("Set the customer's notes on a service", { said: NotesSaid, told: Done }),
  cancelOrder: owned("Cancel an unpaid order", { said: OrderNamed, told: Done }),
  offshore: owned("Create a payment link for an invoice", { said: OffshoreSaid, told: PayLink }),
  coinbase: owned("Create a payment link for an invoice", { said: PaymentSaid, told: PayLink }),
  getClientProducts: owned("List a customer's services, or get one of them", {
    said: ServiceAsked,
    told: ServicesTold,
  }),
  getResellerProducts: owned("Get a reseller service", { said: OneServiceAsked, told: ResellerService }),
  moduleTerminate: owned("Terminate a line", { said: ServiceNamed, told: Done }),
  moduleCreate: owned("Provision the line of a service, or recreate a terminated one", {
    ...{ said: ServiceMade, told: Done },
  }),
  restartService: owned("Restart a line: disconnect its active streams", { said: ServiceNamed, told: Done }),
  updateMacAddress: owned("Set the MAC address of a line", { said: DeviceSaid, told: DeviceTied }),
  getProducts: open("List plans", { said: Nothing, told: GoodsList }),
  getProduct: open("Get a plan", { said: ProductAsked, told: GoodsList }),
  getPromotion: open("Get the promotion of a promo code", { said: CodeAsked, told: Promotions }),
  getResellersProducts: open("List reseller plans", { said: Nothing, told: GoodsList }),
  isReseller: open("Check whether a customer is a reseller", { said: ResellerAsked, told: ResellerTold }),
  resellerAuth: posted("Verify a reseller's password, or create an account", {
    ...{ said: ResellerSaid, told: ProvenAccount },
  }),
  getActiveProducts: owned("List a customer's active services", { said: CustomerAsked, told: ServiceList }),

  invoice: owned("Get the status of an order by invoice, idempotency key or order id", {
    said: InvoiceAsked,
    told: Invoice,
  }),
  cryptomus: owned("Create a payment link for an invoice", { said: PaymentSaid, told: PayLink }),
  btcpay: owned("Create a payment link for an invoice", { said: PaymentSaid, told: PayLink }),
  setPassword: { ...posted("Set a customer's password", { said: PasswordSaid, told: Done }), owned: true },
  endSignUpPassword: {
    ...posted("Revoke a password chosen at sign-up, after its owner has verified the email another way", {
      ...{ said: CustomerNamed, told: PasswordEnded },
    }),
    owned: true,
  },
} as const satisfies Readonly<Record<string, Call>>

export type CallName = keyof typeof calls

/** The one call elsewhere, at `/checkout/aff/new_click`. */
export const newClick = posted("Record a click on an affiliate link", { said: Click, told: Done })

export type Said<N extends CallName> = z.output<(typeof calls)[N]["said"]>
export type Told<N extends CallName> = z.input<(typeof calls)[N]["told"]>

export function isCallName(name: string | undefined): name is CallName {
  return name !== undefined && Object.hasOwn(calls, name)
}
