import type { AffiliateAdmin, AffiliateFigures, AffiliateSpan } from "~/billing/affiliate-admin"
import type { ConsoleServices } from "~/context/services.server"
import { dayIn, daysAfter, type Instant } from "~/domain/calendar"
import { endOfDay, startOfDay } from "~/domain/local-time"
import { currencies } from "~/domain/money/money"
import { type Cell, csvLines } from "~/http/csv"
import type { SentKey } from "./form-key.server"
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
  readonly formKey: SentKey
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

/** Affiliates as a CSV file, line by line, with a column of paid amounts per currency. */
export function affiliateFile(affiliates: AsyncIterable<AffiliateFigures>): AsyncGenerator<string> {
  return csvLines(affiliateColumns, affiliates)
}

type AffiliateCell = (affiliate: AffiliateFigures) => Cell

const amountColumns = currencies.map((currency): readonly [string, AffiliateCell] => [
  `amount ${currency}`,
  ({ amounts }) => amounts.find((it) => it.currency === currency) ?? null,
])

const affiliateColumns: Readonly<Record<string, AffiliateCell>> = {
  affiliate: ({ id }) => id,
  clicks: ({ clicks }) => clicks,
  orders: ({ orders }) => orders,
  paid: ({ paid }) => paid,
  ...Object.fromEntries(amountColumns),
}
