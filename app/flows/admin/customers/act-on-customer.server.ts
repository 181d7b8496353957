import type { CustomerDetails, CustomerExport } from "~/billing/customers/customer-admin"
import type { ConsoleServices } from "~/context/services.server"
import type { Money } from "~/domain/money/money"
import { type CustomerAction, customerAllows } from "~/domain/operators/customer-actions"
import { askForCredit } from "../ask-for-approval.server"
import type { SentKey } from "../form-key.server"
import {
  type ActionOutcome,
  type Actor,
  type FormProblem,
  runOperatorForm,
} from "../run-operator-action.server"
import {
  type CustomerChange,
  type CustomerProblem,
  changeCustomer,
  changingOfCustomer,
  grantedBy,
} from "./change-customer.server"
import { customerShopOf, seenOfCustomer, stateOfCustomer } from "./customer-page.server"
import { newCustomerView } from "./view-as-customer.server"

type SentForm = {
  readonly formKey: SentKey
  readonly reason: string
  readonly proof: { readonly password: string; readonly code: string }
  /** What the operator had seen, see `seenOfCustomer`. */
  readonly seen: string
}

/** A form of a customer's page. */
export type CustomerForm = Omit<CustomerChange, "key"> & SentForm

/** `changed`: the customer has changed since the page was opened: the new state has to be seen first. */
type Problem = FormProblem<CustomerProblem>

export type CustomerOutcome<T> = ActionOutcome<T> | Problem | { readonly kind: "no-such-customer" }

/**
 * Does what a form of a customer's page asks for, if the state still allows it, and writes the audit log. Done: the amount that was
 * granted, or null.
 */
export async function actOnCustomer(
  services: ConsoleServices,
  actor: Actor,
  { id, form }: { readonly id: string; readonly form: CustomerForm },
): Promise<CustomerOutcome<Money | null> | { readonly kind: "waits" }> {
  let granted: Money | null = null
  const outcome = await runOnCustomer(services, actor, { id, ...form }, async (customer) => {
    granted = grantedBy(customerShopOf(services), customer, { ...form, key: form.formKey.key })
    const waits = await waitsFor(services, actor, customer, { granted, form })
    if (waits) return { after: { waits: waits.id }, value: "waits" as const }
    const value = await changeCustomer(changingOfCustomer(services), customer, {
      ...form,
      key: form.formKey.key,
    })
    const after = await services.console.customers.customer(id)
    return {
      before: auditedState(customer),
      after: { ...auditedState(after ?? customer), result: value ?? "done" },
      value,
    }
  })
  if (outcome.kind !== "done") return outcome
  if (outcome.value === "waits") return { kind: "waits" }
  return outcome.value === null
    ? { kind: "done", value: granted }
    : { kind: "problem", problem: outcome.value }
}

/** The request that waits for a second operator; null if the action needs none, or cannot be done anyway. */
async function waitsFor(
  services: ConsoleServices,
  { session }: Actor,
  customer: CustomerDetails,
  { granted: amount, form }: { readonly granted: Money | null; readonly form: CustomerForm },
) {
  if (!amount) return null
  const { operatorId, email: operator } = session
  const request = { id: services.newId(), amount, reason: form.reason }
  return askForCredit(services.console, customer, request, { operatorId, operator, at: services.now() })
}

type HandingOut = SentForm & { readonly id: string }

/** All stored data of a customer, with an entry in the audit log. */
export function exportCustomerData(
  services: ConsoleServices,
  actor: Actor,
  asked: HandingOut,
): Promise<CustomerOutcome<CustomerExport>> {
  return runOnCustomer(services, actor, { ...asked, action: "export-customer" }, async ({ id }) => ({
    value: (await services.console.customers.exportCustomer([id])) ?? {},
  }))
}

/** Lets an operator see the customer's pages for 15 minutes. Returns the query of their address. */
export function startCustomerView(
  services: ConsoleServices,
  actor: Actor,
  asked: HandingOut,
): Promise<CustomerOutcome<string>> {
  return runOnCustomer(services, actor, { ...asked, action: "view-as-customer" }, async ({ id }) => ({
    value: newCustomerView(services, actor.session, id),
  }))
}

type Request = SentForm & { readonly id: string; readonly action: CustomerAction }

async function runOnCustomer<T>(
  services: ConsoleServices,
  actor: Actor,
  asked: Request,
  act: (customer: CustomerDetails) => Promise<{ before?: unknown; after?: unknown; value: T }>,
): Promise<CustomerOutcome<T>> {
  const { id, action, reason, formKey, proof } = asked
  const customer = await services.console.customers.customer(id)
  if (!customer) return { kind: "no-such-customer" }
  const problem = problemOf(services, customer, asked)
  const request = { action, subject: `customer ${id}`, reason, formKey, proof, problem }
  return runOperatorForm(services, actor, request, () => act(customer))
}

function problemOf(
  services: ConsoleServices,
  customer: CustomerDetails,
  { action, seen, reason }: Request,
): CustomerProblem | null {
  if (seen !== seenOfCustomer(customer)) return "changed"
  if (reason === "") return "reason-missing"
  const isAllowed = customerAllows(stateOfCustomer(customer), action, customerShopOf(services))
  return isAllowed ? null : "not-allowed"
}

/** For the audit log: without e-mail addresses, and without the addresses of blocks. */
function auditedState({ isProven, credit, blocks }: CustomerDetails) {
  return { isProven, credit, blocks: blocks.length }
}
