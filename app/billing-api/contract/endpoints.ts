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
  auth: posted("Finds or makes the customer of an e-mail. His password is not looked at: resellerAuth does", {
    ...{ said: VisitorSaid, told: Account },
  }),
  authMiddleware: posted("Who has an e-mail", { said: EmailSaid, told: KnownCustomer }),
  getProductCustomFields: open("The fields an order says a line's access in", {
    ...{ said: ProductNamed, told: Fields },
  }),
  order: owned("Orders a plan, at the price it has here: another amount is a conflict", {
    ...{ said: OrderSaid, told: OrderTold },
  }),
  getGateway: open("Ways to pay", { said: Nothing, told: Gateways }),
  addInvoice: owned("Orders more connections for a service", { said: UpsellSaid, told: OrderTold }),
  checkFraud: open("Whether there is nothing against an address", { said: AddressSaid, told: Welcome }),
  fraudOrder: owned("Holds an unpaid order as suspicious", { said: OrderNamed, told: Done }),
  updateClientProduct: owned("Keeps the customer's own words", { said: NotesSaid, told: Done }),
  cancelOrder: owned("Gives an unpaid order up", { said: OrderNamed, told: Done }),
  offshore: owned("Where an invoice can be paid", { said: OffshoreSaid, told: PayLink }),
  coinbase: owned("Where an invoice can be paid", { said: PaymentSaid, told: PayLink }),
  getClientProducts: owned("A customer's services, or one of them", {
    said: ServiceAsked,
    told: ServicesTold,
  }),
  getResellerProducts: owned("A reseller's service", { said: OneServiceAsked, told: ResellerService }),
  moduleTerminate: owned("Ends a line", { said: ServiceNamed, told: Done }),
  moduleCreate: owned("Has the line of a service made, anew if it has ended", {
    ...{ said: ServiceMade, told: Done },
  }),
  restartService: owned("Ends what is playing on a line", { said: ServiceNamed, told: Done }),
  updateMacAddress: owned("Ties a line to a device", { said: DeviceSaid, told: DeviceTied }),
  getProducts: open("Plans for viewers", { said: Nothing, told: GoodsList }),
  getProduct: open("One plan", { said: ProductAsked, told: GoodsList }),
  getPromotion: open("What a code takes off", { said: CodeAsked, told: Promotions }),
  getResellersProducts: open("Plans for resellers", { said: Nothing, told: GoodsList }),
  isReseller: open("Whether a customer is a reseller", { said: ResellerAsked, told: ResellerTold }),
  resellerAuth: posted("Proves a reseller by his password, or makes him an account", {
    ...{ said: ResellerSaid, told: ProvenAccount },
  }),
  getActiveProducts: owned("A customer's working services", { said: CustomerAsked, told: ServiceList }),

  invoice: owned("How an order stands, by its invoice or by its key", { said: InvoiceAsked, told: Invoice }),
  cryptomus: owned("Where an invoice can be paid", { said: PaymentSaid, told: PayLink }),
  btcpay: owned("Where an invoice can be paid", { said: PaymentSaid, told: PayLink }),
  setPassword: { ...posted("Sets a customer's password", { said: PasswordSaid, told: Done }), owned: true },
  endSignUpPassword: {
    ...posted("Ends a password that was chosen at sign-up: its owner has proven the e-mail in another way", {
      ...{ said: CustomerNamed, told: PasswordEnded },
    }),
    owned: true,
  },
} as const satisfies Readonly<Record<string, Call>>

export type CallName = keyof typeof calls

/** The one call elsewhere, at `/checkout/aff/new_click`. */
export const newClick = posted("Counts a click on an affiliate's link", { said: Click, told: Done })

export type Said<N extends CallName> = z.output<(typeof calls)[N]["said"]>
export type Told<N extends CallName> = z.input<(typeof calls)[N]["told"]>

export function isCallName(name: string | undefined): name is CallName {
  return name !== undefined && Object.hasOwn(calls, name)
}
