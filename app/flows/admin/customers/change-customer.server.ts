import { isRefusedByBilling } from "~/billing/billing"
import type { CustomerAdmin, CustomerDetails } from "~/billing/customers/customer-admin"
import type { ConsoleServices, LoggedServices } from "~/context/services.server"
import { isEmail } from "~/domain/customers/email"
import { isCurrency, type Money } from "~/domain/money/money"
import { typedAmount } from "~/domain/money/typed-amount"
import type { CustomerAction, CustomerShop } from "~/domain/operators/customer-actions"
import { type Blocked, blockKey } from "~/domain/orders/fraud"
import { mailboxMark } from "~/security/trial-marks.server"
import { grantedBefore } from "../ask-for-approval.server"
import { customerShopOf } from "./customer-page.server"

/** Actions that change something; the others hand data out. */
export type CustomerChangeAction = Exclude<CustomerAction, "view-as-customer" | "export-customer">

/** What an operator types to change a customer. Fields that its action does not have are ignored. */
export type CustomerChange = {
  readonly action: CustomerChangeAction
  readonly reason: string
  /** Each change acts once. */
  readonly key: string
  readonly amount?: string | undefined
  readonly currency?: string | undefined
  /** The right e-mail. */
  readonly email?: string | undefined
  /** "customer", or an address of the customer's orders; to unblock: kind and value of a block. */
  readonly target?: string | undefined
  /** Erase also with open orders, active or suspended services or credit. */
  readonly force?: boolean | undefined
}

/** Why a change had no effect. */
export type CustomerProblem =
  | "reason-missing"
  | "amount-invalid"
  | "email-invalid"
  | "email-taken"
  /** There is an open order, an active or suspended service or credit. */
  | "still-used"
  | "no-mail"
  /** An external billing has the customers. */
  | "elsewhere"
  | "not-allowed"
  /** Somebody else has granted the customer account credit, or changed the e-mail, at the same time. */
  | "changed"
  | "no-effect"

/** What the console has, and the admin CLI. */
export type CustomerChanging = CustomerShop &
  Pick<LoggedServices, "signInRequests" | "trials" | "signer" | "newId" | "now" | "wakeJobs"> & {
    readonly admin: CustomerAdmin
  }

/** What the console's services are to the changes of one customer. */
export function changingOfCustomer(services: ConsoleServices): CustomerChanging {
  return { ...services, ...customerShopOf(services), admin: services.console.customers }
}

/** Changes a customer. Returns why nothing was changed, or null. */
export async function changeCustomer(
  services: CustomerChanging,
  customer: CustomerDetails,
  change: CustomerChange,
): Promise<CustomerProblem | null> {
  if (change.reason === "") return "reason-missing"
  const problem = await changes[change.action]({ services, customer, change })
  if (problem === null) services.wakeJobs()
  return problem
}

type ChangeInput = {
  readonly services: CustomerChanging
  readonly customer: CustomerDetails
  readonly change: CustomerChange
}
type ApplyChange = (doing: ChangeInput) => Promise<CustomerProblem | null>

const changes: Readonly<Record<CustomerChangeAction, ApplyChange>> = {
  async "mail-sign-in-link"({ services, customer: { email, locale } }) {
    if (!services.sendsMail) return "no-mail"
    const { signInRequests, newId, now } = services
    // One session for all operators: a second link ends the first. No browser has it, so there is no code to type.
    const request = { id: newId(), email, locale, sessionId: "console", isByOperator: true, at: now() }
    await signInRequests.create(request)
    return null
  },
  async "grant-credit"({ services, customer, change }) {
    const { reason, key } = change
    if (services.hasExternalBilling) return "elsewhere"
    const given = typedGrant(customer, change)
    if (!given) return "amount-invalid"
    const at = services.now()
    const before = grantedBefore(customer, given.currency, at)
    const grant = { key, amount: given, reason, at, grantedBefore: before }
    try {
      return (await services.admin.grantAccountCredit(customer.id, grant)) ? null : "no-effect"
    } catch (error) {
      return problemOfRefusal(error, "changed")
    }
  },
  "correct-email": correctEmail,
  async "block-customer"({ services, customer, change: { target = "customer", reason } }) {
    const blocked = blockedIn(customer, target)
    if (!blocked) return "no-effect"
    await services.admin.block({ ...blocked, reason, at: services.now() })
    return null
  },
  async "unblock-customer"({ services, customer, change: { target = "" } }) {
    const block = customer.blocks.find((it) => blockKey(it) === target)
    return block && (await services.admin.unblock(block)) ? null : "no-effect"
  },
  async "erase-customer"({ services, customer: { id }, change: { force = false } }) {
    try {
      return (await services.admin.eraseCustomer([id], { force })) === 0 ? "no-effect" : null
    } catch (error) {
      return problemOfRefusal(error, "still-used")
    }
  },
}

async function correctEmail({ services, customer, change }: ChangeInput): Promise<CustomerProblem | null> {
  if (services.hasExternalBilling) return "elsewhere"
  const to = (change.email ?? "").trim()
  if (!isEmail(to)) return "email-invalid"
  try {
    const { id: customerId, email: emailBefore } = customer
    if (!(await services.admin.changeEmail({ customerId, to, emailBefore, at: services.now() })))
      return "changed"
  } catch (error) {
    return problemOfRefusal(error, "email-taken")
  }
  await services.trials?.claimMailbox({ customerId: customer.id }, mailboxMark(services.signer, to))
  return null
}

/** Rethrows any error but a refusal. */
function problemOfRefusal(error: unknown, problem: CustomerProblem): CustomerProblem {
  if (isRefusedByBilling(error)) return problem
  throw error
}

/** What a change grants; null for another change, or an amount that is none. */
export function grantedBy(
  { hasExternalBilling }: Pick<CustomerChanging, "hasExternalBilling">,
  customer: CustomerDetails,
  change: CustomerChange,
): Money | null {
  if (change.action !== "grant-credit" || hasExternalBilling || change.reason === "") return null
  return typedGrant(customer, change)
}

/** The amount that is typed, in the customer's currency if no other one is; null if it is none. */
function typedGrant(
  customer: CustomerDetails,
  { amount = "", currency = "" }: Pick<CustomerChange, "amount" | "currency">,
): Money | null {
  const granted = typedAmount(amount, isCurrency(currency) ? currency : customer.currency)
  return granted?.minor ? granted : null
}

function blockedIn({ id, addresses }: CustomerDetails, target: string): Blocked | null {
  if (target === "customer") return { kind: "customer", value: id }
  return addresses.includes(target) ? { kind: "address", value: target } : null
}
