import { redirect } from "react-router"
import { consoleRequest } from "~/context/console.server"
import type { RouteContext } from "~/context/route-context"
import type { ConsoleServices } from "~/context/services.server"
import { localText } from "~/domain/local-time"
import { mayDo } from "~/domain/operators/operator"
import {
  type AccountingDays,
  accountingDaysIn,
  accountingPresets,
} from "~/flows/admin/accounting/accounting-days.server"
import { isAccountingFileKind } from "~/flows/admin/accounting/accounting-files.server"
import {
  continueNumbersByForm,
  numberText,
  unconfirmedNumbers,
} from "~/flows/admin/accounting/continue-numbers.server"
import { accountingSources, exportAccounting } from "~/flows/admin/accounting/export-accounting.server"
import { showAccounting } from "~/flows/admin/accounting/show-accounting.server"
import { newFormKey } from "~/flows/admin/form-key.server"
import { isProven } from "~/flows/admin/run-operator-action.server"
import { formOf, textIn } from "~/http/form.server"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consolePage } from "~/ssr/console-page.server"
import { AccountingScreen } from "~/ui/admin/accounting/accounting-screen.server"
import type { ActionNotice } from "~/ui/admin/form-parts.server"
import { actionFormIn, proofIn, sentKeyIn } from "../action-form.server"
import { problemNotice, sentBefore } from "../action-notice.server"
import { csvResponse } from "../csv-response.server"
import { doneNotice, doneQuery } from "../done-notice.server"
import type { Route } from "./+types/accounting"

const PATH = "/admin/accounting"

/** Tax and money of the days in the address; of this month without them. */
export function loader({ context, url }: Route.LoaderArgs) {
  const notice = doneNotice(url.searchParams)
  return accountingPage(context, url, { notice, refused: null, refusedNumber: null })
}

/** A file for the days in the address, or a series of numbers that goes on after another one. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const data = await formOf(request)
  return textIn(data, "action") === "continue-numbers"
    ? continueSeries(context, url, data)
    : exportFile(context, url, data)
}

async function continueSeries(context: RouteContext, url: URL, data: FormData): Promise<Response> {
  const { services, actor } = consoleRequest(context)
  const form = { ...actionFormIn(data), number: textIn(data, "number") }
  const address = `${PATH}?${daysOf(services, url).query}`
  const outcome = await continueNumbersByForm(services, actor, form)
  if (outcome.kind === "repeated") return sentBefore(address)
  if (outcome.kind === "done") return redirect(`${address}&${doneQuery("continue-numbers")}#numbers`, 303)
  const notice = problemNotice(outcome, (it) => t(`accounting.numbers.problems.${it}`))
  return accountingPage(context, url, { notice, refused: null, refusedNumber: form })
}

async function exportFile(context: RouteContext, url: URL, data: FormData): Promise<Response> {
  const { services, actor } = consoleRequest(context)
  const { days, query } = daysOf(services, url)
  const address = `${PATH}?${query}`
  const file = textIn(data, "file")
  if (textIn(data, "action") !== "export-accounting" || !isAccountingFileKind(file))
    return redirect(address, 303)
  const reason = textIn(data, "reason").trim()
  const form = { reason, formKey: sentKeyIn(data), proof: proofIn(data) }
  const outcome = await exportAccounting(services, actor, { asked: { file, days }, form })
  if (outcome === null || outcome.kind === "repeated") return redirect(address, 303)
  if (outcome.kind === "done") return csvResponse(`${file}.csv`, outcome.value)
  const notice = problemNotice(outcome, () => t("accounting.reasonMissing"))
  return accountingPage(context, url, { notice, refused: { reason, file }, refusedNumber: null })
}

type TypedDays = {
  readonly days: AccountingDays
  /** The days of the address are none: those of this month are shown. */
  readonly isInvalid: boolean
  /** The days as the query of an address. */
  readonly query: string
}

function daysOf({ shop, now }: ConsoleServices, { searchParams }: URL): TypedDays {
  const place = { timeZone: shop.timeZone, now: now() }
  const typed = { from: searchParams.get("from") ?? "", to: searchParams.get("to") ?? "" }
  const found = accountingDaysIn(typed, place)
  const days = found ?? accountingDaysIn({}, place)
  if (!days) throw new Error("This month has no days")
  const query = new URLSearchParams({ from: days.firstDay, to: days.lastDay }).toString()
  return { days, isInvalid: found === null, query }
}

/** `refused`: what was typed in a form that was refused. */
type Shown = {
  readonly notice: ActionNotice | null
  readonly refused: { readonly reason: string; readonly file: string } | null
  readonly refusedNumber: { readonly reason: string; readonly number: string } | null
}

async function accountingPage(
  context: RouteContext,
  url: URL,
  { notice, ...refused }: Shown,
): Promise<Response> {
  const { services, session } = consoleRequest(context)
  const { days, isInvalid, query } = daysOf(services, url)
  const { shop, now } = services
  return consolePage(
    context,
    { title: t("accounting.title"), path: PATH, notice },
    <AccountingScreen
      days={days}
      query={query}
      isInvalid={isInvalid}
      presets={accountingPresets({ timeZone: shop.timeZone, now: now() })}
      sums={await showAccounting(accountingSources(services), days)}
      isExternal={services.console.catalogue === null}
      mayExport={mayDo(session.role, "export-accounting")}
      formKey={newFormKey(services, session)}
      proof={{ isProven: isProven(session, now()), problem: notice?.proof ?? null }}
      numbers={await numbersShown(services)}
      mayContinue={mayDo(session.role, "continue-numbers")}
      notice={notice}
      {...refused}
    />,
  )
}

async function numbersShown({ console, shop, now }: ConsoleServices) {
  const [invoice, creditNote] = await console.documentNumbers.numberSeries(now())
  if (!invoice || !creditNote) return null
  const unconfirmed = await unconfirmedNumbers(console, now())
  return {
    next: {
      invoice: numberText(invoice, invoice.sequence + 1),
      "credit-note": numberText(creditNote, creditNote.sequence + 1),
    },
    unconfirmed: unconfirmed && {
      restored: localText(unconfirmed.restoredAt, shop.timeZone),
      last: unconfirmed.series.map((it) => numberText(it)),
    },
  }
}
