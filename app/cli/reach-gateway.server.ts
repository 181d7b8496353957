import type { Diagnostic } from "~/billing/diagnostic"
import { type Gateway, GatewayError } from "~/gateways/gateway"

/** Of a form that every provider takes for a name of its own. */
const NOBODYS = "00000000-0000-4000-8000-000000000000"

/** Whether a gateway answers: asked about a payment that cannot be there, a refusal of anything but our key is an answer. */
export async function reachGateway(gateway: Gateway): Promise<Omit<Diagnostic, "check">> {
  try {
    const update = await gateway.fetchPayment({ paymentId: NOBODYS })
    if (update === null) return { ok: null, message: "cannot be asked: its callbacks are all there is" }
    return { ok: true, message: "answers" }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    if (error.refusesKey)
      return { ok: false, message: "REFUSES OUR KEY: look at its settings here and there" }
    return answerOf[error.kind]
  }
}

const answerOf: Record<GatewayError["kind"], Omit<Diagnostic, "check">> = {
  refused: { ok: true, message: "answers" },
  // It may be back in a minute, and nothing here is wrong.
  unavailable: { ok: null, message: "DOES NOT ANSWER" },
  unreadable: { ok: false, message: "ANSWERS NONSENSE: look at its address and keys" },
}
