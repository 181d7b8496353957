import { createContext, type RouterContextProvider } from "react-router"
import { BillingError } from "~/billing/billing"
import type { ErrorKind } from "~/domain/error-kind"
import { GatewayError } from "~/gateways/gateway"
import { ProvisioningError } from "~/provisioning/provisioner"
import { requestContext } from "./request.server"

/** Kind of the error that occurred during the request; null without one. */
export const problemContext = createContext<ErrorKind | null>(null)

/** Logs an unexpected error once, and sets the kind of the error page. */
export function noteProblem(error: unknown, context: Readonly<RouterContextProvider>): void {
  const problem = problemOf(error)
  context.set(problemContext, problem)
  context.get(requestContext).log.error({ err: error, kind: problem }, "unhandled page error")
}

function problemOf(error: unknown): ErrorKind {
  if (error instanceof ProvisioningError) return "unavailable"
  const upstream = error instanceof BillingError || error instanceof GatewayError
  return upstream && error.kind !== "refused" ? error.kind : "unexpected"
}
