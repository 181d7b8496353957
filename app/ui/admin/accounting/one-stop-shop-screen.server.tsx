import { type Quarter, quarterText } from "~/domain/accounting/accounting"
import { type OneStopShopReport, RETURN_CURRENCY, type SupplyRow } from "~/domain/accounting/one-stop-shop"
import { percentText } from "~/domain/money/basis-points"
import { money } from "~/domain/money/money"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm } from "../action-form.server"
import { amountText } from "../amount-text.server"
import { consoleHref } from "../console-frame.server"
import { countryText } from "../country-text.server"
import { FormNotice, Notice } from "../form-parts.server"
import { ListTable } from "../list-parts.server"
import { type AccountingFormProps, NumberCell } from "./accounting-screen.server"

type OneStopShopProps = AccountingFormProps & {
  quarter: Quarter
  /** What was typed is no quarter: the last one is shown. */
  isInvalid: boolean
  /** Null: the shop taxes nothing. */
  report: OneStopShopReport | null
}

const PATH = "/admin/accounting/one-stop-shop"

/** What the one-stop-shop return of a quarter asks for. */
export function OneStopShopScreen(props: OneStopShopProps) {
  const { quarter, isInvalid, report, notice, mayExport } = props
  const name = quarterText(quarter)
  return (
    <>
      <div className="title">
        <h1>
          {t("accounting.oneStopShop")} {name}
        </h1>
        <p>{t("accounting.quarterLead", { quarter: name })}</p>
      </div>
      <FormNotice notice={notice} />
      {isInvalid && <Notice kind="warning">{t("accounting.invalidQuarter")}</Notice>}
      <p className="buttons">
        <a href={hrefOf(quarter, -1)} rel="prev">
          {t("accounting.earlier")}
        </a>
        <a href={hrefOf(quarter, 1)} rel="next">
          {t("accounting.later")}
        </a>
        <a href={consoleHref("/admin/accounting")}>{t("accounting.all")}</a>
      </p>
      {report === null ? (
        <Notice kind="warning">
          {t("accounting.noRules")} <a href={consoleHref("/admin/tax")}>{t("accounting.toRules")}</a>
        </Notice>
      ) : (
        <Report report={report} />
      )}
      {mayExport && <ExportCard {...props} />}
    </>
  )
}

function hrefOf({ year, quarter }: Quarter, by: 1 | -1): string {
  const nth = year * 4 + quarter - 1 + by
  return consoleHref(`${PATH}?quarter=${quarterText({ year: Math.floor(nth / 4), quarter: (nth % 4) + 1 })}`)
}

const heads = [
  { text: "accounting.country" },
  { text: "accounting.rate", isNumber: true },
  { text: "accounting.net", isNumber: true },
  { text: "accounting.taxAmount", isNumber: true },
] as const

function Report({ report: { supplies, corrections } }: { report: OneStopShopReport }) {
  const isForeign = [...supplies, ...corrections].some(({ currency }) => currency !== RETURN_CURRENCY)
  return (
    <>
      {isForeign && <Notice kind="warning">{t("accounting.currencies")}</Notice>}
      <section className="card">
        <h2>{t("accounting.supplies")}</h2>
        {supplies.length === 0 ? (
          <p>{t("accounting.noSupplies")}</p>
        ) : (
          <ListTable label={t("accounting.supplies")} heads={heads}>
            {supplies.map((row) => (
              <tr key={keyOf(row)}>
                <Cells row={row} />
              </tr>
            ))}
          </ListTable>
        )}
      </section>
      {corrections.length > 0 && (
        <section className="card">
          <h2>{t("accounting.corrections")}</h2>
          <p>{t("accounting.correctionsHint")}</p>
          <ListTable label={t("accounting.corrections")} heads={[...heads, { text: "accounting.of" }]}>
            {corrections.map((row) => (
              <tr key={`${quarterText(row.of)} ${keyOf(row)}`}>
                <Cells row={row} />
                <td data-label={t("accounting.of")}>{quarterText(row.of)}</td>
              </tr>
            ))}
          </ListTable>
        </section>
      )}
    </>
  )
}

function keyOf({ country, basisPoints, currency }: SupplyRow): string {
  return [country, basisPoints, currency].join(" ")
}

function Cells({ row: { country, basisPoints, net, tax, currency } }: { row: SupplyRow }) {
  return (
    <>
      <td>{countryText(country)}</td>
      <NumberCell column="accounting.rate">{percentText(basisPoints)}</NumberCell>
      <NumberCell column="accounting.net">{amountText(money(net, currency))}</NumberCell>
      <NumberCell column="accounting.taxAmount">{amountText(money(tax, currency))}</NumberCell>
    </>
  )
}

function ExportCard({ quarter, formKey, proof, refused }: OneStopShopProps) {
  return (
    <section className="card">
      <ActionForm
        action="export-accounting"
        target={consoleHref(`${PATH}?quarter=${quarterText(quarter)}`)}
        name={t("accounting.export")}
        now={quarterText(quarter)}
        after={t("accounting.quarterAfter")}
        formKey={formKey}
        seen=""
        refused={refused}
        proof={proof}
      />
    </section>
  )
}
