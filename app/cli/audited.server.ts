import { type ActionRun, runCliAction } from "~/flows/admin/run-operator-action.server"
import type { Audited, Call, Command } from "./command"

type Entry = Audited & { readonly reason: string | null }

/** Runs what a command does to the shop, with entries in the audit log before and after it. */
export function audited<T>({ billing, now }: Call, request: Entry, run: ActionRun<T>): Promise<T> {
  return runCliAction({ auditLog: billing.auditLog, now: () => now }, request, run)
}

type About = NonNullable<Command["audit"]>

/** The entry of a command whose first argument is the number of an order. */
export function ofOrder(action: string): About {
  return ({ args: [number] }) => ({ action, subject: `order ${number}` })
}

/** The entry of a command whose first argument is the number of a service. */
export function ofService(action: string): About {
  return ({ args: [number] }) => ({ action, subject: `service ${number}` })
}

/** The entry of a command whose first argument is a customer's email: none for an unknown one, which the command refuses. */
export function ofCustomer(action: string): About {
  return async ({ billing, args: [email = ""] }) => {
    const customer = await billing.billing.customerOf(email)
    return customer && { action, subject: `customer ${customer.id}` }
  }
}
