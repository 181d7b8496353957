import { createContext } from "react-router"
import { BillingError } from "~/billing/billing"
import type { RouteContext } from "~/context/route-context"
import type { ErrorKind } from "~/domain/error-kind"
import { GatewayError } from "~/gateways/gateway"
import { ProvisioningError } from "~/provisioning/provisioner"
import { requestContext } from "./request.server"

/** Kind of the error that occurred during the request; null without one. */
export const errorContext = createContext<ErrorKind | null>(null)

/** How long billing has asked to be left alone, in seconds, if that is why the request failed; null: it has not. */
export const retryAfterContext = createContext<number | null>(null)

/** Logs an unexpected error once, and sets the kind of the error page. */
export function recordError(error: unknown, context: RouteContext): void {
  const errorKind = errorKindOf(error)
  context.set(errorContext, errorKind)
  context.set(retryAfterContext, error instanceof BillingError ? error.retryAfterSeconds : null)
  context.get(requestContext).log.error({ err: error, kind: errorKind }, "unhandled page error")
}

function errorKindOf(error: unknown): ErrorKind {
  if (error instanceof ProvisioningError) return "unavailable"
  const upstream = error instanceof BillingError || error instanceof GatewayError
  return upstream && error.kind !== "refused" ? error.kind : "unexpected"
}
