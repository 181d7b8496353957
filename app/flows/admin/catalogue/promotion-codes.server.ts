import type { OneTimeCode, PromotionAdmin, PromotionDetails } from "~/billing/catalogue/promotion-admin"
import type { ConsoleServices } from "~/context/services.server"
import type { Instant } from "~/domain/calendar"
import { isCodePrefix, MOST_CODES, newPromotionCodes } from "~/domain/catalogue/promotion-code"
import { includes } from "~/domain/includes"
import type { OperatorAction } from "~/domain/operators/operator"
import { type Cell, csvLines } from "~/http/csv"
import type { SentKey } from "../form-key.server"
import { type Actor, type FormOutcome, missingReason, runOperatorForm } from "../run-operator-action.server"

export const codeActions = [
  "generate-promotion-codes",
  "export-promotion-codes",
  "withdraw-promotion-codes",
] as const satisfies readonly OperatorAction[]
export type CodeAction = (typeof codeActions)[number]

/** Whether a form names an action on one-time codes. */
export function isCodeAction(text: string): text is CodeAction {
  return includes(codeActions, text)
}

export type CodeProblem = "reason-missing" | "count-invalid" | "prefix-invalid" | "nothing-to-withdraw"

/** A series as it is typed. */
export type TypedSeries = { readonly count: string; readonly prefix: string }

type Series = { readonly count: number; readonly prefix: string }

/** What was typed as a series, or why it is none. */
export function seriesIn({ count: typed, prefix: typedPrefix }: TypedSeries): Series | CodeProblem {
  const count = /^\d{1,5}$/.test(typed.trim()) ? Number(typed) : 0
  if (count < 1 || count > MOST_CODES) return "count-invalid"
  const prefix = typedPrefix.trim().toUpperCase().replace(/-$/, "")
  return isCodePrefix(prefix) ? { count, prefix } : "prefix-invalid"
}

type Drawing = {
  readonly promotions: PromotionAdmin
  readonly randomInt: (below: number) => number
  readonly at: Instant
}

/** Draws the codes of a series and stores them. Null for an unknown promotion. */
export async function generateCodes(
  { promotions, randomInt, at }: Drawing,
  { code, ...series }: Series & { readonly code: string },
): Promise<readonly string[] | null> {
  const codes = newPromotionCodes(randomInt, series)
  return (await promotions.addCodes(code, { codes, at })) ? codes : null
}

export type CodeForm = {
  readonly action: CodeAction
  readonly typed: TypedSeries
  /** What the codes that are withdrawn begin with. */
  readonly beginning: string
  readonly reason: string
  readonly formKey: SentKey
  readonly proof: { readonly password: string; readonly code: string }
}

/** `codes`: how many were generated or withdrawn. `file`: what was exported. */
export type CodesDone =
  | { readonly kind: "generated" | "withdrawn"; readonly codes: number }
  | { readonly kind: "exported"; readonly file: AsyncIterable<string> }

/** Does what a form of a promotion's one-time codes asks for, and writes the audit log. */
export async function actOnCodes(
  services: ConsoleServices,
  actor: Actor,
  asked: {
    readonly promotions: PromotionAdmin
    readonly promotion: PromotionDetails
    readonly form: CodeForm
  },
): Promise<FormOutcome<CodesDone, CodeProblem>> {
  const { promotion, form } = asked
  const { action, reason, formKey, proof } = form
  const series = action === "generate-promotion-codes" ? seriesIn(form.typed) : null
  const problem = problemOf(series, reason)
  const request = { action, subject: `promotion ${promotion.code}`, reason, formKey, proof, problem }
  const outcome = await runOperatorForm(services, actor, request, async () => {
    const value = await done(services, asked, series)
    const { kind } = value
    // The codes themselves are worth money: they are in no log.
    return { after: kind === "exported" ? { kind } : value, value }
  })
  if (outcome.kind !== "done" || outcome.value.kind !== "withdrawn") return outcome
  return outcome.value.codes > 0 ? outcome : { kind: "problem", problem: "nothing-to-withdraw" }
}

function problemOf(series: Series | CodeProblem | null, reason: string): CodeProblem | null {
  if (typeof series === "string") return series
  return missingReason(reason)
}

async function done(
  services: ConsoleServices,
  { promotions, promotion: { code }, form }: Parameters<typeof actOnCodes>[2],
  series: Series | CodeProblem | null,
): Promise<CodesDone> {
  const at = services.now()
  if (form.action === "export-promotion-codes")
    return { kind: "exported", file: codesFile(allCodes(promotions, code)) }
  if (series !== null && typeof series !== "string") {
    const drawing = { promotions, randomInt: services.randomInt, at }
    const codes = await generateCodes(drawing, { code, ...series })
    return { kind: "generated", codes: codes?.length ?? 0 }
  }
  const { beginning } = form
  return { kind: "withdrawn", codes: await promotions.withdrawCodes(code, { beginning, at }) }
}

const AT_ONCE = 500

/** All one-time codes of a promotion, read in batches. */
export async function* allCodes(promotions: PromotionAdmin, promotion: string): AsyncGenerator<OneTimeCode> {
  let after: string | undefined
  for (;;) {
    const batch = await promotions.codes(promotion, { after, limit: AT_ONCE })
    yield* batch
    if (batch.length < AT_ONCE) return
    after = batch.at(-1)?.code
  }
}

/** Codes as a CSV file, line by line. Times are UTC. */
export function codesFile(codes: Iterable<OneTimeCode> | AsyncIterable<OneTimeCode>): AsyncGenerator<string> {
  return csvLines(codeColumns, codes)
}

const codeColumns: Readonly<Record<string, (code: OneTimeCode) => Cell>> = {
  code: ({ code }) => code,
  state: ({ state }) => state,
  created: ({ createdAt }) => utc(createdAt),
  order: ({ orderId }) => orderId,
  used: ({ usedAt }) => utc(usedAt),
  withdrawn: ({ withdrawnAt }) => utc(withdrawnAt),
}

function utc(at: Instant | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
