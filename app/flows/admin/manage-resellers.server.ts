import { isRefusedByBilling } from "~/billing/billing"
import type {
  ResellerAdmin,
  ResellerCreditGrant,
  ResellerDetails,
  ResellerEntry,
} from "~/billing/reseller-admin"
import type { ConsoleServices } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import { includes } from "~/domain/includes"
import type { OperatorAction } from "~/domain/operators/operator"
import { type Cell, csvLines } from "~/http/csv"
import type { SentKey } from "./form-key.server"
import { type Actor, type FormOutcome, missingReason, runOperatorForm } from "./run-operator-action.server"

export const resellerActions = [
  "grant-reseller-credits",
  "export-reseller-credits",
] as const satisfies readonly OperatorAction[]
export type ResellerAction = (typeof resellerActions)[number]

/** Whether a form names an action on a reseller. */
export function isResellerAction(text: string): text is ResellerAction {
  return includes(resellerActions, text)
}

/** Limit of one grant, against typing errors. */
export const MOST_CREDITS = 100_000

/** A number of credits as it is typed; null if it is none that can be granted. */
export function creditsIn(text: string): number | null {
  const credits = /^\+?(\d{1,6})$/.test(text.trim()) ? Number(text) : 0
  return credits >= 1 && credits <= MOST_CREDITS ? credits : null
}

/** The time from which and until which a statement is. */
export type Span = { readonly from?: Instant | undefined; readonly until?: Instant | undefined }

export type ResellerForm = {
  readonly action: ResellerAction
  readonly credits: string
  readonly span: Span
  /** What the operator had seen, see `seenOfReseller`. */
  readonly seen: string
  readonly reason: string
  readonly formKey: SentKey
  readonly proof: { readonly password: string; readonly code: string }
}

export type ResellerProblem = "reason-missing" | "credits-invalid" | "erased" | "changed"

/** `file`: the statement, line by line. */
export type ResellerDone =
  | { readonly kind: "granted"; readonly balance: number | null }
  | { readonly kind: "exported"; readonly file: AsyncIterable<string> }

/** Does what a form of a reseller's page asks for, and writes the audit log. */
export async function actOnReseller(
  services: ConsoleServices,
  actor: Actor,
  { reseller, form }: { readonly reseller: ResellerDetails; readonly form: ResellerForm },
): Promise<FormOutcome<ResellerDone, ResellerProblem>> {
  const { action, reason, formKey, proof } = form
  const credits = creditsIn(form.credits)
  const { resellers } = services.console
  const problem = problemOf(reseller, form)
  const request = { action, subject: `customer ${reseller.id}`, reason, formKey, proof, problem }
  const outcome = await runOperatorForm<ResellerDone | { readonly kind: "changed" }, ResellerProblem>(
    services,
    actor,
    request,
    async () => {
      if (action === "export-reseller-credits") {
        const file = statementFile(allEntries(resellers, reseller.id, form.span))
        return { after: form.span, value: { kind: "exported", file } }
      }
      const { id: customerId, granted: grantedBefore } = reseller
      const grant = { customerId, amount: credits ?? 0, grantedBefore, reason, at: services.now() }
      const balance = await grantOf(resellers, grant)
      if (balance === "changed") return { after: { granted: 0 }, value: { kind: "changed" } }
      const after = { granted: balance === null ? 0 : credits, credits: balance }
      return { before: { credits: reseller.credits }, after, value: { kind: "granted", balance } }
    },
  )
  if (outcome.kind !== "done") return outcome
  const { value } = outcome
  if (value.kind === "changed") return { kind: "problem", problem: "changed" }
  const isLost = value.kind === "granted" && value.balance === null
  return isLost ? { kind: "problem", problem: "erased" } : { kind: "done", value }
}

/** "changed": somebody else has granted credits at the same time. */
async function grantOf(
  resellers: Pick<ResellerAdmin, "grantResellerCredits">,
  grant: ResellerCreditGrant,
): Promise<number | null | "changed"> {
  try {
    return await resellers.grantResellerCredits(grant)
  } catch (error) {
    if (!isRefusedByBilling(error)) throw error
    return "changed"
  }
}

/** What an operator has seen of a reseller: another text says that credits were granted since. The reseller's own use of them says nothing. */
export function seenOfReseller({ granted }: ResellerDetails): string {
  return String(granted)
}

function problemOf(
  reseller: ResellerDetails,
  { action, credits, seen, reason }: ResellerForm,
): ResellerProblem | null {
  if (action === "export-reseller-credits") return missingReason(reason)
  if (seen !== seenOfReseller(reseller)) return "changed"
  return missingReason(reason) ?? (creditsIn(credits) === null ? "credits-invalid" : null)
}

const AT_ONCE = 500

/** All ledger entries of a span, newest first, read in batches. */
export async function* allEntries(
  resellers: Pick<ResellerAdmin, "resellerEntries">,
  id: string,
  span: Span,
): AsyncGenerator<ResellerEntry> {
  let beyond: ResellerEntry | undefined
  for (;;) {
    const batch = await resellers.resellerEntries(id, { ...span, beyond, limit: AT_ONCE })
    yield* batch
    if (batch.length < AT_ONCE) return
    beyond = batch.at(-1)
  }
}

/** Ledger entries as a CSV file, line by line. Times are UTC. */
export function statementFile(entries: AsyncIterable<ResellerEntry>): AsyncGenerator<string> {
  return csvLines(statementColumns, entries)
}

const statementColumns: Readonly<Record<string, (entry: ResellerEntry) => Cell>> = {
  time: ({ at }) => new Date(at).toISOString(),
  cause: ({ cause }) => cause,
  credits: ({ amount }) => amount,
  order: ({ orderId }) => orderId,
  customer: ({ customerName }) => customerName,
  reason: ({ reason }) => reason,
}
