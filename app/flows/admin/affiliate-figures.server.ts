import type { AffiliateAdmin, AffiliateFigures, AffiliateSpan } from "~/billing/affiliate-admin"
import type { ConsoleServices } from "~/context/services.server"
import { dayIn, daysAfter, type Instant } from "~/domain/calendar"
import { endOfDay, startOfDay } from "~/domain/local-time"
import { currencies, toDecimal } from "~/domain/money"
import { CSV_START, csvLine } from "~/http/csv"
import { type Actor, type FormOutcome, missingReason, runOperatorForm } from "./run-operator-action.server"

/** Days shown without a first one, the last one included. */
const USUAL_DAYS = 30

/** A span of days as they are typed; the last 30 without them. Null if they are no days, or in the wrong order. */
export function affiliateSpanIn(
  days: { readonly from?: string | undefined; readonly to?: string | undefined },
  { timeZone, now }: { readonly timeZone: string; readonly now: Instant },
): AffiliateSpan | null {
  const lastDay = days.to || dayIn(timeZone, now)
  const until = endOfDay(lastDay, timeZone)
  if (until === undefined) return null
  const firstDay = days.from || daysAfter(lastDay, 1 - USUAL_DAYS)
  const from = startOfDay(firstDay, timeZone)
  return from === undefined || from >= until ? null : { firstDay, lastDay, from, until }
}

export type AffiliateExport = {
  readonly reason: string
  readonly formKey: string
  readonly proof: { readonly password: string; readonly code: string }
}

/** The figures of all affiliates as a file, line by line. Writes the audit log. */
export async function exportAffiliates(
  services: ConsoleServices,
  actor: Actor,
  { span, form }: { readonly span: AffiliateSpan; readonly form: AffiliateExport },
): Promise<FormOutcome<AsyncIterable<string>, "reason-missing">> {
  const { reason, formKey, proof } = form
  const problem = missingReason(reason)
  const request = {
    action: "export-affiliates",
    subject: "affiliates",
    reason,
    formKey,
    proof,
    problem,
  } as const
  return runOperatorForm(services, actor, request, async () => ({
    after: { from: span.firstDay, to: span.lastDay },
    value: affiliateFile(allAffiliates(services.console.affiliates, span)),
  }))
}

const AT_ONCE = 200

/** All affiliates with what they have brought in a span, read in batches. */
export async function* allAffiliates(
  affiliates: Pick<AffiliateAdmin, "listAffiliates">,
  span: AffiliateSpan,
): AsyncGenerator<AffiliateFigures> {
  let after: string | undefined
  for (;;) {
    const batch = await affiliates.listAffiliates({ span, after, limit: AT_ONCE })
    yield* batch
    if (batch.length < AT_ONCE) return
    after = batch.at(-1)?.id
  }
}

const COMMA = { separator: "," } as const

/** Affiliates as a CSV file, line by line, with a column of paid amounts per currency. */
export async function* affiliateFile(affiliates: AsyncIterable<AffiliateFigures>): AsyncGenerator<string> {
  const head = ["affiliate", "clicks", "orders", "paid", ...currencies.map((it) => `amount ${it}`)]
  yield `${CSV_START}${csvLine(head, COMMA)}`
  for await (const { id, clicks, orders, paid, amounts } of affiliates) {
    const sums = currencies.map((currency) => {
      const sum = amounts.find((it) => it.currency === currency)
      return sum ? toDecimal(sum) : null
    })
    yield csvLine([id, clicks, orders, paid, ...sums], COMMA)
  }
}
