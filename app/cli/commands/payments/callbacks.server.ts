import { ofOrder } from "~/cli/audited.server"
import { type Call, type Command, CommandError } from "~/cli/command"
import { unknownGateway } from "~/cli/format"
import { gatewayCallbackUrl } from "~/domain/payments/gateway-callback-url"
import { sendTestCallback } from "~/flows/admin/payments/test-callback.server"
import { type CallbackRequests, type Gateway, GatewayError } from "~/gateways/gateway"
import { postCallback } from "~/gateways/post-callback.server"

/** Requests that the gateway resend the callback of an order's latest payment, if the gateway supports it. */
export const resendCallback: Command = {
  about: "ask the gateway to resend its callback (if supported)",
  args: ["NUMBER"],
  audit: ofOrder("resend-callback"),
  async run(call) {
    const attempt = await call.billing.payments.latestAttempt(call.args[0] ?? "")
    if (!attempt?.paymentId) throw new CommandError(`Payment of order "${call.args[0]}" not found.`)
    const { paymentId } = attempt
    await requested(callsOf(call, attempt.gateway), (calls) => calls.resend({ paymentId }))
    return {
      text: `Requested a new callback from ${attempt.gateway}. Its result appears in the order's timeline.`,
      data: { gateway: attempt.gateway, paymentId },
    }
  },
}

/** Sends a callback about no payment to the shop's public address, signed as the gateway signs. */
export const testCallback: Command = {
  about: "send a signed callback about no payment to the shop's public address, and say what it has met",
  args: ["GATEWAY"],
  options: { reason: "why, for the audit log" },
  audit: ({ args: [gateway] }) => ({ action: "test-callback", subject: `gateway ${gateway}` }),
  async run(call) {
    const [name = ""] = call.args
    const gateway = gatewayOf(call, name)
    const { PUBLIC_URL: publicUrl } = call.config
    const { verdict, status, text } = await sendTestCallback({
      gateway,
      postCallback,
      publicUrl,
      now: call.now,
    })
    const callbackUrl = gatewayCallbackUrl(publicUrl, gateway.id)
    return {
      text: `${callbackUrl}\n${text}`,
      data: { gateway: gateway.id, callbackUrl, verdict, status, text },
      isFailure: verdict !== "accepted" && verdict !== "no-callbacks",
      after: { verdict, status, text },
    }
  },
}

/** Asks the provider for a test callback. The shop's log shows whether it arrived. */
export const requestCallback: Command = {
  about: "ask the provider to send a test callback (if supported)",
  args: ["GATEWAY"],
  audit: ({ args: [gateway] }) => ({ action: "request-callback", subject: `gateway ${gateway}` }),
  async run(call) {
    const [name = ""] = call.args
    const calls = callsOf(call, name)
    const callbackUrl = gatewayCallbackUrl(call.config.PUBLIC_URL, gatewayOf(call, name).id)
    await requested(calls, ({ sendTest }) => sendTest({ callbackUrl }))
    return {
      text: `Requested a test callback from ${name} to ${callbackUrl}. The shop's log shows it with status 204, or the error.`,
      data: { gateway: name, callbackUrl },
    }
  },
}

function gatewayOf({ gateways }: Call, name: string): Gateway {
  const gateway = [...gateways().values()].find(({ id }) => id === name)
  if (!gateway) throw new CommandError(unknownGateway(name))
  return gateway
}

function callsOf(call: Call, name: string): CallbackRequests {
  const gateway = gatewayOf(call, name)
  if (!gateway.calls)
    throw new CommandError(`Cannot request a callback from ${name}: not supported. Use "orders poll NUMBER".`)
  return gateway.calls
}

async function requested(
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
