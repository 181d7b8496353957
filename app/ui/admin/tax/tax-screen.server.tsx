import type { PresentTax } from "~/billing/tax-admin"
import type { Version } from "~/billing/versions"
import type { Product } from "~/domain/catalogue/catalogue"
import { currencies, type Money } from "~/domain/money/money"
import type { TaxPlace } from "~/domain/tax/tax"
import { exchangeRateTexts, registrationText, taxRateText } from "~/domain/tax/tax-changes"
import type { TaxFile } from "~/domain/tax/tax-file"
import { TAX_TABLE_OF, taxTable } from "~/domain/tax/tax-table"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm, TextField } from "../action-form.server"
import { amountText } from "../amount-text.server"
import { consoleHref } from "../console-frame.server"
import { countryText } from "../country-text.server"
import { type ActionNotice, FormNotice, Notice, type ProofAsked } from "../form-parts.server"
import { Fact, type ListLinks, ListTable } from "../list-parts.server"
import { VersionList } from "../version-list.server"

/** What a buyer would pay; `prices`: null before anybody has asked. `isUnknown`: what was asked cannot be answered. */
export type TaxPreviewShown = {
  readonly products: readonly Product[]
  readonly plan: string | null
  readonly country: string
  readonly region: string
  readonly day: string
  readonly prices:
    | readonly {
        readonly place: TaxPlace
        readonly rate: number
        readonly net: Money
        readonly tax: Money
        readonly gross: Money
      }[]
    | null
  readonly isUnknown: boolean
}

type TaxProps = {
  present: PresentTax
  versions: readonly Version[]
  links: ListLinks
  preview: TaxPreviewShown
  mayChange: boolean
  formKey: string
  proof: ProofAsked
  notice: ActionNotice | null
  refused: { readonly action: string; readonly reason: string } | null
  timeZone: string
}

/** The page of a shop whose billing system taxes. */
export function TaxExternalScreen() {
  return (
    <div className="title">
      <h1>{t("tax.title")}</h1>
      <p>{t("tax.external")}</p>
    </div>
  )
}

/** The rules of tax in force, what a buyer would pay by them, and the versions. */
export function TaxScreen(props: TaxProps) {
  const { present, versions, links, preview, notice, timeZone } = props
  const { content, source, file } = present
  return (
    <>
      <div className="title">
        <h1>{t("tax.title")}</h1>
        <p>{t("tax.lead")}</p>
      </div>
      <FormNotice notice={notice} />
      <section className="card">
        <h2>{t("tax.inForce")}</h2>
        {content ? <Rules content={content} source={source} /> : <p>{t("tax.none")}</p>}
        {source === "console" && file && <p>{t("tax.ignoredFile")}</p>}
      </section>
      <Shipped />
      <section className="card">
        <h2>{t("action.title")}</h2>
        <Actions {...props} />
      </section>
      <Preview {...preview} />
      <VersionList subject="tax" versions={versions} links={links} timeZone={timeZone} />
    </>
  )
}

function Rules({ content, source }: { content: TaxFile; source: PresentTax["source"] }) {
  const { country, confirmedOn, registrations, oneStopShop, rates, exempt, categories, prices, accounting } =
    content
  const ofProducts = Object.entries(categories).map(([product, it]) => `${product}: ${it}`)
  return (
    <>
      {confirmedOn === null && <Notice kind="warning">{t("tax.isOff")}</Notice>}
      <dl className="facts">
        <Fact name="tax.source">{t(`tax.sources.${source}`)}</Fact>
        <Fact name="tax.confirmedOn">{confirmedOn ?? "–"}</Fact>
        <Fact name="tax.country">{countryText(country)}</Fact>
        <Fact name="tax.oneStopShopIs">{t(oneStopShop ? "tax.yes" : "tax.no")}</Fact>
        <Fact name="tax.accountingCurrency">{accounting?.currency ?? "–"}</Fact>
        <Fact name="tax.exempt">{exempt.join(", ") || "–"}</Fact>
        <Fact name="tax.categories">{ofProducts.join(", ") || "–"}</Fact>
        {currencies.map((it) => (
          <div key={it}>
            <dt>{t("tax.pricesIn", { currency: it })}</dt>
            <dd>{t(`tax.modes.${prices[it] ?? "inclusive"}`)}</dd>
          </div>
        ))}
      </dl>
      <h3>{t("tax.registrations")}</h3>
      <Lines lines={registrations.map(registrationText)} none="–" />
      <h3>{t("tax.rates")}</h3>
      <Lines lines={rates.map(taxRateText)} none={t("tax.noRates")} />
      {accounting && (
        <>
          <h3>{t("tax.exchangeRates")}</h3>
          <Lines lines={exchangeRateTexts(content)} none={t("tax.noExchangeRates")} />
        </>
      )}
    </>
  )
}

function Lines({ lines, none }: { lines: readonly string[]; none: string }) {
  if (lines.length === 0) return <p>{none}</p>
  return (
    <ul>
      {lines.map((it) => (
        <li key={it} className="breaks">
          {it}
        </li>
      ))}
    </ul>
  )
}

/** The table that comes with the program. */
function Shipped() {
  return (
    <details className="card">
      <summary>{t("tax.shipped", { day: TAX_TABLE_OF })}</summary>
      <p>{t("tax.shippedLead")}</p>
      <ListTable
        label={t("tax.shipped", { day: TAX_TABLE_OF })}
        heads={[{ text: "tax.country" }, { text: "tax.percent", isNumber: true }, { text: "tax.since" }]}
      >
        {taxTable.map(({ country, basisPoints, from }) => (
          <tr key={country}>
            <td>{countryText(country)}</td>
            <td className="number">{percentText(basisPoints)}</td>
            <td>{from}</td>
          </tr>
        ))}
      </ListTable>
    </details>
  )
}

const percentText = (basisPoints: number) => `${(basisPoints / 100).toFixed(2)} %`

function Actions({ present, mayChange, formKey, proof, refused }: TaxProps) {
  const { content, source, file, latest } = present
  if (!mayChange) return <p>{t("action.nothing")}</p>
  const form = (action: string) => ({
    action,
    formKey,
    seen: String(latest),
    proof,
    refused: refused?.action === action ? refused : null,
  })
  const day = content?.confirmedOn ?? null
  return (
    <>
      <p>
        <a href={consoleHref("/admin/tax/rules")}>{t("tax.toEdit")}</a>
      </p>
      {content && (
        <ActionForm
          {...form("confirm-tax")}
          name={t("tax.confirm")}
          now={day === null ? t("tax.confirmNowOff") : t("tax.confirmNow", { day })}
          after={t("tax.confirmAfter")}
        />
      )}
      {day !== null && (
        <ActionForm
          {...form("switch-off-tax")}
          name={t("tax.switchOff")}
          now={t("tax.switchOffNow")}
          after={t("tax.switchOffAfter")}
          destroys
        />
      )}
      {source === "console" && (
        <ActionForm
          {...form("use-tax-file")}
          name={t("tax.useFile")}
          now={t("tax.useFileNow")}
          after={file ? t("tax.useFileAfter") : t("tax.none")}
          destroys
        />
      )}
    </>
  )
}

function Preview({ products, plan, country, region, day, prices, isUnknown }: TaxPreviewShown) {
  return (
    <section className="card" id="preview">
      <h2>{t("tax.preview")}</h2>
      <p>{t("tax.previewLead")}</p>
      <form method="get" action={consoleHref("/admin/tax#preview")}>
        <TextField id="country" name="country" label={t("tax.buyerCountry")} value={country} maxLength={2} />
        <TextField
          id="region"
          name="region"
          label={t("tax.region")}
          value={region}
          maxLength={40}
          isOptional
        />
        <p className="field">
          <label htmlFor="plan">{t("tax.plan")}</label>
          <select id="plan" name="plan" defaultValue={plan ?? undefined}>
            {products.map(({ id, name }) => (
              <option key={id} value={id}>
                {`${name} (${id})`}
              </option>
            ))}
          </select>
        </p>
        <TextField id="day" name="day" label={t("tax.day")} value={day} type="date" />
        <button className="button" type="submit">
          {t("tax.show")}
        </button>
      </form>
      {isUnknown && <Notice kind="warning">{t("tax.unknown")}</Notice>}
      {prices && <Prices prices={prices} />}
    </section>
  )
}

function Prices({ prices }: { prices: NonNullable<TaxPreviewShown["prices"]> }) {
  if (prices.length === 0) return <p>{t("tax.noPrices")}</p>
  return (
    <ListTable
      label={t("tax.preview")}
      heads={[
        { text: "tax.rate" },
        { text: "tax.net", isNumber: true },
        { text: "tax.tax", isNumber: true },
        { text: "tax.gross", isNumber: true },
      ]}
    >
      {prices.map(({ place, rate, net, tax, gross }) => (
        <tr key={gross.currency}>
          <td>{`${percentText(rate)}, ${t(`tax.places.${place.kind}`, { country: place.country })}`}</td>
          <td className="number" data-label={t("tax.net")}>
            {amountText(net)}
          </td>
          <td className="number" data-label={t("tax.tax")}>
            {amountText(tax)}
          </td>
          <td className="number" data-label={t("tax.gross")}>
            {amountText(gross)}
          </td>
        </tr>
      ))}
    </ListTable>
  )
}
