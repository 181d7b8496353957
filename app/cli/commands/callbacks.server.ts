import { BASE } from "~/domain/base-path"
import { type CallbackRequests, type Gateway, GatewayError } from "~/gateways/gateway"
import { type Call, type Command, CommandError } from "../command"

/** Has the provider tell again what became of an order's payment, where it can. */
export const resend: Command = {
  args: ["NUMBER"],
  async run(call) {
    const attempt = await call.billing.payments.latestAttempt(call.args[0] ?? "")
    if (!attempt?.paymentId)
      throw new CommandError(`No payment has been opened for an order "${call.args[0]}".`)
    const { paymentId } = attempt
    await have(callsOf(call, attempt.gateway), (calls) => calls.again({ paymentId }))
    return `${attempt.gateway} has been asked to call again. What it says is in the order's timeline.`
  },
}

/** Has the provider call about a payment that is nobody's: whether it reaches the shop shows in the shop's log. */
export const testCallback: Command = {
  args: ["GATEWAY"],
  async run(call) {
    const [name = ""] = call.args
    const callbackUrl = `${call.config.PUBLIC_URL}${BASE}/api/payments/${name}/callback`
    await have(callsOf(call, name), (calls) => calls.trial({ callbackUrl }))
    return `${name} has been asked to call ${callbackUrl}. The shop's log shows it with status 204, or why not.`
  },
}

function callsOf({ gateways }: Call, name: string): CallbackRequests {
  const gateway: Gateway | undefined = [...gateways().values()].find(({ id }) => id === name)
  if (!gateway) throw new CommandError(`"${name}" is not among the GATEWAYS.`)
  if (!gateway.calls) throw new CommandError(`${name} has no way to be asked for a call. Use "poll NUMBER".`)
  return gateway.calls
}

async function have(calls: CallbackRequests, act: (calls: CallbackRequests) => Promise<void>): Promise<void> {
  try {
    await act(calls)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    throw new CommandError(
      error.kind === "refused" ? "It will not: there is nothing to tell." : "It does not answer.",
    )
  }
}
