import type { AuditLog } from "~/billing/operators/audit-log"
import type { ConsoleServices } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import { type CallbackTest, callbackTestOf, noCallbacks } from "~/domain/payments/callback-test"
import { gatewayCallbackUrl } from "~/domain/payments/gateway-callback-url"
import type { GatewayId } from "~/domain/payments/gateway-id"
import type { Gateway, PostCallback } from "~/gateways/gateway"
import type { SentKey } from "../form-key.server"
import { type Actor, type FormOutcome, missingReason, runOperatorForm } from "../run-operator-action.server"

type Sending = {
  readonly gateway: Pick<Gateway, "id" | "testCallback">
  readonly postCallback: PostCallback
  readonly publicUrl: string
  readonly now: Instant
}

/**
 * Sends a callback to the shop's public address, signed as the gateway signs, about no payment: no order and no money changes,
 * whoever answers. Tells what it has met.
 */
export async function sendTestCallback({
  gateway,
  postCallback,
  publicUrl,
  now,
}: Sending): Promise<CallbackTest> {
  if (!gateway.testCallback) return noCallbacks
  const url = gatewayCallbackUrl(publicUrl, gateway.id)
  return callbackTestOf(await postCallback(url, gateway.testCallback(now)))
}

type Outcome = FormOutcome<CallbackTest, "reason-missing">

/** Sends a test callback by a form of the console; what it has met is in the audit log. */
export async function testCallback(
  services: ConsoleServices,
  actor: Actor,
  { gateway, reason, formKey }: { gateway: Gateway; reason: string; formKey: SentKey },
): Promise<Outcome> {
  const { console, shop, now } = services
  const problem = missingReason(reason)
  const subject = subjectOf(gateway.id)
  const request = { action: "test-callback", subject, reason, formKey, problem } as const
  return runOperatorForm(services, actor, request, async () => {
    const { postCallback } = console
    const test = await sendTestCallback({ gateway, postCallback, publicUrl: shop.publicUrl, now: now() })
    return { after: test, value: test }
  })
}

export type LastCallbackTest = { readonly at: Instant; readonly text: string }

/** The newest test callback of a gateway, also one of the command line, as the audit log has it; null: none was sent. */
export async function lastCallbackTest(
  auditLog: Pick<AuditLog, "newest">,
  gateway: GatewayId,
): Promise<LastCallbackTest | null> {
  // The end of the last action, its beginning, and those of one that is under way.
  const entries = await auditLog.newest({ subject: subjectOf(gateway), action: "test-callback", limit: 4 })
  const ended = entries.find(({ outcome, after }) => outcome === "done" && after !== null)
  return ended ? { at: ended.at, text: textIn(ended.after ?? "") } : null
}

/** Entries of earlier versions have no text. */
function textIn(after: string): string {
  const { text = "" }: { readonly text?: string } = JSON.parse(after)
  return text
}

const subjectOf = (gateway: GatewayId) => `gateway ${gateway}`
