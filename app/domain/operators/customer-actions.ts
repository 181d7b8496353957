import { includes } from "../includes"
import { mayDo, type OperatorAction, type OperatorRole } from "./operator"

/** What operators do with one customer, in the order in which the page offers it: what destroys comes last. */
export const customerActions = [
  "mail-sign-in-link",
  "view-as-customer",
  "grant-credit",
  "correct-email",
  "unblock-customer",
  "block-customer",
  "export-customer",
  "erase-customer",
] as const satisfies readonly OperatorAction[]
export type CustomerAction = (typeof customerActions)[number]

/** Whether a form names an action on a customer. */
export function isCustomerAction(text: string): text is CustomerAction {
  return includes(customerActions, text)
}

/** What decides which actions a customer allows. */
export type CustomerState = {
  /** False: the e-mail is another customer's now. */
  readonly hasEmail: boolean
  readonly isProven: boolean
  readonly isErased: boolean
  readonly isBlocked: boolean
}

/** An external billing has the customers' addresses and credit. */
export type CustomerShop = { readonly hasExternalBilling: boolean; readonly sendsMail: boolean }

type Rule = (customer: CustomerState, shop: CustomerShop) => boolean

const rules: Readonly<Record<CustomerAction, Rule>> = {
  "mail-sign-in-link": ({ hasEmail, isErased }, { sendsMail }) => hasEmail && !isErased && sendsMail,
  "view-as-customer": ({ isErased }) => !isErased,
  "grant-credit": ({ isErased }, { hasExternalBilling }) => !isErased && !hasExternalBilling,
  // A proven address is changed by the command line alone: whoever reads mail there would lose the account.
  "correct-email": ({ isErased, isProven }, { hasExternalBilling }) =>
    !isErased && !isProven && !hasExternalBilling,
  "unblock-customer": ({ isBlocked }) => isBlocked,
  "block-customer": ({ isErased }) => !isErased,
  "export-customer": ({ isErased }) => !isErased,
  "erase-customer": ({ isErased }) => !isErased,
}

/** Whether the state of a customer allows an action. */
export function customerAllows(customer: CustomerState, action: CustomerAction, shop: CustomerShop): boolean {
  return rules[action](customer, shop)
}

/** Actions that the state of a customer allows to a role. */
export function customerActionsFor(
  role: OperatorRole,
  customer: CustomerState,
  shop: CustomerShop,
): readonly CustomerAction[] {
  return customerActions.filter((action) => mayDo(role, action) && rules[action](customer, shop))
}
