import { BASE } from "~/domain/base-path"
import { type CallbackRequests, type Gateway, GatewayError } from "~/gateways/gateway"
import { ofOrder } from "../audited.server"
import { type Call, type Command, CommandError } from "../command"

/** Requests that the gateway resend the callback of an order's latest payment, if the gateway supports it. */
export const resendCallback: Command = {
  about: "ask the gateway to resend its callback (if supported)",
  args: ["NUMBER"],
  audit: ofOrder("resend-callback"),
  async run(call) {
    const attempt = await call.billing.payments.latestAttempt(call.args[0] ?? "")
    if (!attempt?.paymentId) throw new CommandError(`Payment of order "${call.args[0]}" not found.`)
    const { paymentId } = attempt
    await requestCallback(callsOf(call, attempt.gateway), (calls) => calls.resend({ paymentId }))
    return {
      text: `Requested a new callback from ${attempt.gateway}. Its result appears in the order's timeline.`,
      data: { gateway: attempt.gateway, paymentId },
    }
  },
}

/** Requests a test callback for an unknown payment. The shop's log shows whether the callback arrived. */
export const testCallback: Command = {
  about: "ask the gateway to send a test callback (if supported)",
  args: ["GATEWAY"],
  audit: ({ args: [gateway] }) => ({ action: "test-callback", subject: `gateway ${gateway}` }),
  async run(call) {
    const [name = ""] = call.args
    const callbackUrl = `${call.config.PUBLIC_URL}${BASE}/api/payments/${name}/callback`
    await requestCallback(callsOf(call, name), (calls) => calls.sendTest({ callbackUrl }))
    return {
      text: `Requested a test callback from ${name} to ${callbackUrl}. The shop's log shows it with status 204, or the error.`,
      data: { gateway: name, callbackUrl },
    }
  },
}

function callsOf({ gateways }: Call, name: string): CallbackRequests {
  const gateway: Gateway | undefined = [...gateways().values()].find(({ id }) => id === name)
  if (!gateway) throw new CommandError(`Unknown gateway "${name}".`)
  if (!gateway.calls)
    throw new CommandError(`Cannot request a callback from ${name}: not supported. Use "orders poll NUMBER".`)
  return gateway.calls
}

async function requestCallback(
  calls: CallbackRequests,
  request: (calls: CallbackRequests) => Promise<void>,
): Promise<void> {
  try {
    await request(calls)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    throw new CommandError(
      error.kind === "refused"
        ? "Cannot request a callback: rejected by the gateway."
        : "Cannot request a callback: gateway unreachable.",
    )
  }
}
