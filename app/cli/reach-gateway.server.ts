import type { Diagnostic } from "~/billing/diagnostic"
import { type Gateway, GatewayError } from "~/gateways/gateway"

/** An unknown payment id in a form that every provider accepts as valid. */
const UNKNOWN_PAYMENT = "00000000-0000-4000-8000-000000000000"

/** Checks a gateway by polling an unknown payment. Any rejection except of the API key proves that it is reachable. */
export async function reachGateway(gateway: Gateway): Promise<Omit<Diagnostic, "check">> {
  try {
    const update = await gateway.fetchPayment({ paymentId: UNKNOWN_PAYMENT })
    if (update === null) return { ok: null, message: "not supported, callbacks only" }
    return { ok: true, message: "ok" }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    if (error.refusesKey) return { ok: false, message: "API KEY REJECTED: check its settings" }
    return diagnosticByError[error.kind]
  }
}

const diagnosticByError: Record<GatewayError["kind"], Omit<Diagnostic, "check">> = {
  refused: { ok: true, message: "ok" },
  // An outage may be temporary and is no configuration error, so the check does not fail.
  unavailable: { ok: null, message: "UNREACHABLE" },
  unreadable: { ok: false, message: "INVALID RESPONSE: check its address and keys" },
}
