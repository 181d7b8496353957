import type { CreditMovementListed } from "~/billing/customers/customer-admin"
import { moneyTotals, type TaxSum, type TaxTotal, taxSumKey, taxTotals } from "~/domain/accounting/accounting"
import type { Day } from "~/domain/calendar"
import { percentText } from "~/domain/money/basis-points"
import { type Money, money } from "~/domain/money/money"
import { type ConsoleText, consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm, TextField } from "../action-form.server"
import { amountText } from "../amount-text.server"
import { consoleHref } from "../console-frame.server"
import { countryText } from "../country-text.server"
import { type ActionNotice, Choices, FormNotice, Notice, type ProofAsked } from "../form-parts.server"
import { gatewayName } from "../gateway-name.server"
import { ListTable } from "../list-parts.server"

type Preset = "this-month" | "last-month" | "this-quarter" | "last-quarter"

type MoneyRow = {
  readonly kind: "payment" | "refund" | "credit"
  readonly cause: CreditMovementListed["cause"] | null
  readonly gateway: string | null
  readonly count: number
  readonly amount: Money
}

export type AccountingFormProps = {
  mayExport: boolean
  formKey: string
  proof: ProofAsked
  notice: ActionNotice | null
  /** The form that was refused. `file`: where there are several. */
  refused: { readonly reason: string; readonly file?: string } | null
}

type AccountingProps = AccountingFormProps & {
  days: { readonly firstDay: Day; readonly lastDay: Day }
  /** The days as the query of an address. */
  query: string
  /** What was typed are no days: those of this month are shown. */
  isInvalid: boolean
  presets: readonly { readonly preset: Preset; readonly from: Day; readonly to: Day }[]
  sums: {
    readonly invoices: number
    readonly creditNotes: number
    readonly tax: readonly TaxSum[]
    readonly money: readonly MoneyRow[]
  }
  /** An external billing issues the invoices. */
  isExternal: boolean
  /** Null: the shop issues no documents. */
  numbers: NumbersShown | null
  mayContinue: boolean
  /** The number that was refused, and why it was to be given. */
  refusedNumber: { readonly number: string; readonly reason: string } | null
}

type NumbersShown = {
  readonly next: Readonly<Record<"invoice" | "credit-note", string>>
  /** A restored backup may have set these back. `at`: when, as it is shown. */
  readonly unconfirmed: { readonly restored: string; readonly last: readonly string[] } | null
}

const PATH = "/admin/accounting"

/** Tax and money of some days, and files of them for the bookkeeper. */
export function AccountingScreen(props: AccountingProps) {
  const { notice, isInvalid, isExternal } = props
  return (
    <>
      <div className="title">
        <h1>{t("accounting.title")}</h1>
        <p>{t("accounting.lead")}</p>
      </div>
      <FormNotice notice={notice} />
      {isInvalid && <Notice kind="warning">{t("accounting.invalidDays")}</Notice>}
      <section className="card">
        <Days {...props} />
        {!isExternal && (
          <p>
            <a href={consoleHref(`${PATH}/one-stop-shop`)}>{t("accounting.oneStopShop")}</a>
          </p>
        )}
      </section>
      <TaxCard {...props} />
      <MoneyCard {...props} />
      {props.mayExport && <ExportCard {...props} />}
      {props.numbers && <NumbersCard {...props} numbers={props.numbers} />}
    </>
  )
}

function Days({ days, presets }: Pick<AccountingProps, "days" | "presets">) {
  return (
    <>
      <p className="buttons">
        {presets.map(({ preset, from, to }) => (
          <a key={preset} href={consoleHref(`${PATH}?from=${from}&to=${to}`)}>
            {t(`accounting.presets.${preset}`)}
          </a>
        ))}
      </p>
      <search>
        <form method="get" action={consoleHref(PATH)}>
          <div className="filters">
            <DayField name="from" value={days.firstDay} />
            <DayField name="to" value={days.lastDay} />
          </div>
          <div className="buttons">
            <button className="button" type="submit">
              {t("accounting.apply")}
            </button>
          </div>
        </form>
      </search>
    </>
  )
}

function DayField({ name, value }: { name: "from" | "to"; value: Day }) {
  return (
    <p className="field">
      <label htmlFor={name}>{t(`accounting.${name}`)}</label>
      <input id={name} name={name} type="date" defaultValue={value} />
    </p>
  )
}

const taxHeads = [
  { text: "accounting.country" },
  { text: "accounting.place" },
  { text: "accounting.rate", isNumber: true },
  { text: "accounting.net", isNumber: true },
  { text: "accounting.taxAmount", isNumber: true },
  { text: "accounting.gross", isNumber: true },
] as const

/** Where documents state their tax in the accounting currency. */
const accountingHeads = [
  { text: "accounting.convertedNet", isNumber: true },
  { text: "accounting.convertedTax", isNumber: true },
] as const

function TaxCard({ sums, isExternal }: Pick<AccountingProps, "sums" | "isExternal">) {
  return (
    <section className="card">
      <h2>{t("accounting.tax")}</h2>
      {isExternal ? <p>{t("accounting.external")}</p> : <TaxSums sums={sums} />}
    </section>
  )
}

function TaxSums({ sums: { tax, invoices, creditNotes } }: Pick<AccountingProps, "sums">) {
  if (tax.length === 0) return <p>{t("accounting.noDocuments")}</p>
  const isConverted = tax.some(({ accounting }) => accounting !== null)
  return (
    <>
      <p>{t("accounting.taxHint", { invoices, creditNotes })}</p>
      <ListTable
        label={t("accounting.tax")}
        heads={isConverted ? [...taxHeads, ...accountingHeads] : taxHeads}
      >
        {tax.map((sum) => (
          <TaxRow key={taxSumKey(sum)} sum={sum} isConverted={isConverted} />
        ))}
        {taxTotals(tax).map((total) => (
          <tr key={total.currency}>
            <td colSpan={3}>
              <strong>{t("accounting.total", { currency: total.currency })}</strong>
            </td>
            <AmountCells sum={total} isConverted={isConverted} />
          </tr>
        ))}
      </ListTable>
    </>
  )
}

function TaxRow({ sum, isConverted }: { sum: TaxSum; isConverted: boolean }) {
  const { country, kind, basisPoints } = sum
  return (
    <tr>
      <td>{countryText(country)}</td>
      <td data-label={t("accounting.place")}>{t(`accounting.places.${kind}`)}</td>
      <NumberCell column="accounting.rate">{percentText(basisPoints)}</NumberCell>
      <AmountCells sum={sum} isConverted={isConverted} />
    </tr>
  )
}

function AmountCells({ sum, isConverted }: { sum: TaxTotal; isConverted: boolean }) {
  const { currency, net, tax, gross, accounting } = sum
  return (
    <>
      <NumberCell column="accounting.net">{amountText(money(net, currency))}</NumberCell>
      <NumberCell column="accounting.taxAmount">{amountText(money(tax, currency))}</NumberCell>
      <NumberCell column="accounting.gross">{amountText(money(gross, currency))}</NumberCell>
      {isConverted && <AccountingCells accounting={accounting} />}
    </>
  )
}

function AccountingCells({ accounting }: Pick<TaxSum, "accounting">) {
  const textOf = (part: "net" | "tax") =>
    accounting ? amountText({ minor: accounting[part], currency: accounting.currency }) : "–"
  return (
    <>
      <NumberCell column="accounting.convertedNet">{textOf("net")}</NumberCell>
      <NumberCell column="accounting.convertedTax">{textOf("tax")}</NumberCell>
    </>
  )
}

/** A number in a table, with the name of its column for a phone. */
export function NumberCell({ column, children }: { column: ConsoleText; children: string | number }) {
  return (
    <td className="number" data-label={t(column)}>
      {children}
    </td>
  )
}

const moneyHeads = [
  { text: "accounting.kind" },
  { text: "accounting.gateway" },
  { text: "accounting.count", isNumber: true },
  { text: "accounting.amount", isNumber: true },
] as const

/** Where money came from, or went, that no gateway has moved. */
function outsideText(kind: AccountingProps["sums"]["money"][number]["kind"]): string {
  return kind === "credit" ? "–" : t("accounting.outside")
}

function MoneyCard({ sums: { money: rows } }: Pick<AccountingProps, "sums">) {
  return (
    <section className="card">
      <h2>{t("accounting.money")}</h2>
      {rows.length === 0 ? (
        <p>{t("accounting.noMoney")}</p>
      ) : (
        <>
          <p>{t("accounting.moneyHint")}</p>
          <ListTable label={t("accounting.money")} heads={moneyHeads}>
            {rows.map(({ kind, cause, gateway, count, amount }) => (
              <tr key={[kind, cause, gateway, amount.currency].join(" ")}>
                <td>
                  {t(`accounting.kinds.${kind}`)}
                  {cause && `, ${t(`accounting.causes.${cause}`)}`}
                </td>
                <td data-label={t("accounting.gateway")}>
                  {gateway === null ? outsideText(kind) : gatewayName(gateway)}
                </td>
                <NumberCell column="accounting.count">{count}</NumberCell>
                <NumberCell column="accounting.amount">{amountText(amount)}</NumberCell>
              </tr>
            ))}
            {moneyTotals(rows).map((amount) => (
              <tr key={amount.currency}>
                <td colSpan={3}>
                  <strong>{t("accounting.moneyTotal", { currency: amount.currency })}</strong>
                </td>
                <NumberCell column="accounting.amount">{amountText(amount)}</NumberCell>
              </tr>
            ))}
          </ListTable>
        </>
      )}
    </section>
  )
}

function NumbersCard(props: AccountingProps & { numbers: NumbersShown }) {
  const { numbers, mayContinue } = props
  const { next, unconfirmed } = numbers
  return (
    <section className="card" id="numbers">
      <h2>{t("accounting.numbers.title")}</h2>
      {unconfirmed && (
        <Notice kind="warning">
          {t("accounting.numbers.unconfirmed", { restored: unconfirmed.restored })}{" "}
          {unconfirmed.last.map((number) => t("accounting.numbers.lastHere", { number })).join("; ")}.
        </Notice>
      )}
      <dl className="facts">
        {(["invoice", "credit-note"] as const).map((kind) => (
          <div key={kind}>
            <dt>{t(`accounting.numbers.next.${kind}`)}</dt>
            <dd>{next[kind]}</dd>
          </div>
        ))}
      </dl>
      {mayContinue && <ContinueForm {...props} numbers={numbers} />}
    </section>
  )
}

function ContinueForm({
  numbers,
  query,
  formKey,
  proof,
  refusedNumber,
}: AccountingProps & { numbers: NumbersShown }) {
  const { next } = numbers
  return (
    <ActionForm
      action="continue-numbers"
      target={consoleHref(`${PATH}?${query}`)}
      name={t("accounting.numbers.action")}
      now={t("accounting.numbers.now", { invoice: next.invoice, creditNote: next["credit-note"] })}
      after={t("accounting.numbers.after")}
      formKey={formKey}
      seen=""
      refused={refusedNumber}
      proof={proof}
      destroys
    >
      <TextField
        id="last-number"
        name="number"
        label={t("accounting.numbers.field")}
        value={refusedNumber?.number}
      />
    </ActionForm>
  )
}

const files = ["invoices", "payments", "tax"] as const

function ExportCard({ days, query, isExternal, formKey, proof, refused }: AccountingProps) {
  const offered = isExternal ? (["payments"] as const) : files
  return (
    <section className="card">
      <ActionForm
        action="export-accounting"
        target={consoleHref(`${PATH}?${query}`)}
        name={t("accounting.export")}
        now={t("accounting.exportNow", { from: days.firstDay, to: days.lastDay })}
        after={t("accounting.exportAfter")}
        formKey={formKey}
        seen=""
        refused={refused}
        proof={proof}
      >
        <Choices
          name="file"
          label={t("accounting.file")}
          choices={offered.map((file) => ({ value: file, text: t(`accounting.files.${file}`) }))}
          chosen={refused?.file ?? offered[0]}
        />
      </ActionForm>
    </section>
  )
}
