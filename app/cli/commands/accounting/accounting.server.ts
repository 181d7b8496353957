import { audited } from "~/cli/audited.server"
import { type Call, type Command, CommandError, UsageError } from "~/cli/command"
import { onDisk, writePrivately } from "~/cli/files.server"
import { amount, ELSEWHERE, jsonAmount } from "~/cli/format"
import { reasonIn } from "~/cli/reason"
import {
  moneyTotals,
  type Quarter,
  quarterIn,
  quarterText,
  type TaxSum,
  type TaxTotal,
  taxTotals,
} from "~/domain/accounting/accounting"
import type { SupplyRow } from "~/domain/accounting/one-stop-shop"
import { percentText } from "~/domain/money/basis-points"
import { money } from "~/domain/money/money"
import type { TaxRules } from "~/domain/tax/tax"
import { type AccountingDays, accountingDaysIn } from "~/flows/admin/accounting/accounting-days.server"
import {
  accountingFile,
  accountingFileKinds,
  isAccountingFileKind,
  quarterFile,
} from "~/flows/admin/accounting/accounting-files.server"
import { type AccountingExport, keptOf } from "~/flows/admin/accounting/export-accounting.server"
import {
  type AccountingSources,
  type MoneySum,
  quarterReport,
  showAccounting,
} from "~/flows/admin/accounting/show-accounting.server"

const dayOptions = {
  from: "first day of the shop's calendar, such as 2026-11-01; that of the last day's month without it",
  to: "last day, today without it",
}

export const showAccountingCommand: Command = {
  about: "tax by country and rate, and money by gateway, of some days",
  args: [],
  options: dayOptions,
  async run(call) {
    const days = daysIn(call)
    const { invoices, creditNotes, tax, money: moved } = await showAccounting(sourcesOf(call), days)
    return {
      text: [
        `From ${days.firstDay} to ${days.lastDay}: ${invoices} invoices, ${creditNotes} credit notes`,
        "Tax",
        ...(tax.length === 0 ? ["  none"] : tax.map(taxLine)),
        ...taxTotals(tax).map(totalLine),
        "Money",
        ...(moved.length === 0 ? ["  none"] : moved.map(moneyLine)),
        ...moneyTotals(moved).map(
          (it) => `  ${"Total, less what became credit".padEnd(32)}${amount(it).padStart(16)}`,
        ),
      ].join("\n"),
      data: {
        from: days.firstDay,
        to: days.lastDay,
        invoices,
        creditNotes,
        tax: tax.map(jsonTax),
        money: moved.map(({ kind, cause, gateway, count, ...it }) => ({
          kind,
          cause,
          gateway,
          count,
          amount: jsonAmount(it.amount),
        })),
      },
    }
  },
}

const KINDS = [...accountingFileKinds, "one-stop-shop"] as const

/** Writes the audit log itself: what a file is about is known only once its options are read. */
export const exportAccountingFile: Command = {
  about: `write ${KINDS.join(", ")} as a CSV file; - writes to standard output`,
  args: [KINDS.join("|"), "FILE|-"],
  options: {
    ...dayOptions,
    quarter: "of one-stop-shop, such as 2026-Q4",
    reason: "why, for the audit log",
  },
  required: ["reason"],
  async run(call) {
    const [kind = "", file = ""] = call.args
    const asked = askedFor(call, kind)
    const reason = reasonIn(call.options.reason)
    const request = { action: "export-accounting", subject: "accounting", reason }
    await audited(call, request, async () => {
      const lines = linesOf(call, asked)
      await onDisk(file === "-" ? call.write(lines) : writePrivately(file, lines))
      return { after: keptOf(asked), value: null }
    })
    return { text: `Written to ${file === "-" ? "standard output" : file}.`, data: { file } }
  },
}

export const showOneStopShop: Command = {
  about: "what the one-stop-shop return of a quarter asks for, such as 2026-Q4",
  args: ["QUARTER"],
  async run(call) {
    const quarter = quarterOf(call.args[0])
    const { supplies, corrections } = await quarterReport(sourcesOf(call), rulesOf(call), quarter)
    return {
      text: [
        `Supplies of ${quarterText(quarter)}`,
        ...(supplies.length === 0 ? ["  none"] : supplies.map(supplyLine)),
        "Corrections of earlier returns",
        ...(corrections.length === 0
          ? ["  none"]
          : corrections.map((row) => `${supplyLine(row)}  of ${quarterText(row.of)}`)),
      ].join("\n"),
      data: {
        quarter: quarterText(quarter),
        supplies: supplies.map(jsonSupply),
        corrections: corrections.map((row) => ({ ...jsonSupply(row), of: quarterText(row.of) })),
      },
    }
  },
}

function sourcesOf({ billing }: Call): AccountingSources {
  return { ledgers: billing.operator, documents: billing.documents }
}

function daysIn({ options, config, now }: Call): AccountingDays {
  const days = accountingDaysIn(options, { timeZone: config.TIME_ZONE, now })
  if (!days)
    throw new UsageError("--from and --to must be days such as 2026-11-01, --from not the later one.")
  return days
}

function quarterOf(text = ""): Quarter {
  const quarter = quarterIn(text)
  if (!quarter) throw new UsageError("The quarter must be one such as 2026-Q4.")
  return quarter
}

function askedFor(call: Call, kind: string): AccountingExport {
  if (kind === "one-stop-shop") return { file: kind, quarter: quarterOf(call.options.quarter) }
  if (isAccountingFileKind(kind)) return { file: kind, days: daysIn(call) }
  throw new UsageError(`"${kind}" is none of ${KINDS.join(", ")}.`)
}

function linesOf(call: Call, asked: AccountingExport): AsyncIterable<string> {
  return asked.file === "one-stop-shop"
    ? quarterFile(sourcesOf(call), rulesOf(call), asked.quarter)
    : accountingFile(asked.file, sourcesOf(call), asked.days)
}

function rulesOf({ billing }: Call): TaxRules {
  const rules = billing.tax?.rules() ?? null
  if (!rules) throw new CommandError("The shop taxes nothing: it has no one-stop-shop return.")
  return rules
}

function taxLine(sum: TaxSum): string {
  const { country, kind, basisPoints } = sum
  return `  ${country}  ${kind.padEnd(14)}  ${percentText(basisPoints).padStart(8)}${amountsText(sum)}`
}

function totalLine(total: TaxTotal): string {
  return `  ${`Total ${total.currency}`.padEnd(28)}${amountsText(total)}`
}

function amountsText({ currency, net, tax, gross, accounting }: TaxTotal): string {
  const sums = [net, tax, gross].map((minor) => amount(money(minor, currency)).padStart(14))
  const stated = accounting && `  net ${amountOf(accounting, "net")}, tax ${amountOf(accounting, "tax")}`
  return `${sums.join("")}${stated ?? ""}`
}

function amountOf(accounting: NonNullable<TaxSum["accounting"]>, part: "net" | "tax"): string {
  return amount({ minor: accounting[part], currency: accounting.currency })
}

function moneyLine({ kind, cause, gateway, count, ...it }: MoneySum): string {
  const what = [kind, cause, gateway ?? (kind === "credit" ? null : ELSEWHERE)].filter(Boolean).join(" ")
  return `  ${what.padEnd(24)}${String(count).padStart(8)}${amount(it.amount).padStart(16)}`
}

function supplyLine({ country, basisPoints, currency, net, tax }: SupplyRow): string {
  const sums = [net, tax].map((minor) => amount(money(minor, currency)).padStart(14))
  return `  ${country}  ${percentText(basisPoints).padStart(8)}${sums.join("")}`
}

function jsonTax({ country, kind, basisPoints, currency, net, tax, gross, accounting }: TaxSum) {
  return {
    country,
    place: kind,
    percent: basisPoints / 100,
    net: jsonAmount(money(net, currency)),
    tax: jsonAmount(money(tax, currency)),
    gross: jsonAmount(money(gross, currency)),
    accounting: accounting && {
      net: jsonAmount({ minor: accounting.net, currency: accounting.currency }),
      tax: jsonAmount({ minor: accounting.tax, currency: accounting.currency }),
    },
  }
}

function jsonSupply({ country, basisPoints, currency, net, tax }: SupplyRow) {
  return {
    country,
    percent: basisPoints / 100,
    net: jsonAmount(money(net, currency)),
    tax: jsonAmount(money(tax, currency)),
  }
}
