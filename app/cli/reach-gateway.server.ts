import type { Diagnostic } from "~/billing/diagnostic"
import { type Gateway, GatewayError } from "~/gateways/gateway"

/** Of a form that every provider takes for a name of its own. */
const NOBODYS = "00000000-0000-4000-8000-000000000000"

/** Whether a gateway answers: asked about a payment that cannot be there, a refusal of anything but our key is an answer. */
export async function reachGateway(gateway: Gateway): Promise<Omit<Diagnostic, "check">> {
  try {
    const update = await gateway.fetchPayment({ paymentId: NOBODYS })
    if (update === null) return { ok: null, message: "not supported, callbacks only" }
    return { ok: true, message: "ok" }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    if (error.refusesKey) return { ok: false, message: "API KEY REJECTED: check its settings" }
    return answerOf[error.kind]
  }
}

const answerOf: Record<GatewayError["kind"], Omit<Diagnostic, "check">> = {
  refused: { ok: true, message: "ok" },
  // It may be back in a minute, and nothing here is wrong.
  unavailable: { ok: null, message: "UNREACHABLE" },
  unreadable: { ok: false, message: "INVALID RESPONSE: check its address and keys" },
}
