import type { Version } from "~/billing/versions"
import { type ConfigOption, type Product, plansNeverShown } from "~/domain/catalogue/catalogue"
import { pricesText } from "~/domain/catalogue/catalogue-changes"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consoleHref } from "../console-frame.server"
import { type ActionNotice, FormNotice } from "../form-parts.server"
import { type ListLinks, ListTable } from "../list-parts.server"
import { VersionList } from "../version-list.server"
import { newProductHref, optionHref, productHref } from "./catalogue-parts.server"

type CatalogueProps = {
  notice: ActionNotice | null
  /** In the order of the catalogue. */
  products: readonly Product[]
  timeZone: string
} & (
  | { versions: readonly Version[]; links: ListLinks }
  /** Another system has the products. */
  | { versions: null; links?: never }
)

/** The products in their order, their options, and the versions. */
export function CatalogueScreen(props: CatalogueProps) {
  const { notice, products, versions, links, timeZone } = props
  const options = new Map(products.flatMap((it) => it.options).map((it) => [it.id, it]))
  return (
    <>
      <div className="title">
        <h1>{t("catalogue.title")}</h1>
        <p>{t(versions ? "catalogue.lead" : "catalogue.external")}</p>
      </div>
      <FormNotice notice={notice} />
      <section className="card">
        <h2>{t("catalogue.products")}</h2>
        {products.length === 0 ? <p>{t("catalogue.none")}</p> : <Products {...props} />}
        {versions && <Additions />}
      </section>
      {options.size > 0 && (
        <section className="card">
          <h2>{t("catalogue.options")}</h2>
          <ul>
            {[...options.values()].map((it) => (
              <OptionLine key={it.id} option={it} isEditable={versions !== null} />
            ))}
          </ul>
        </section>
      )}
      {versions && <VersionList subject="catalogue" versions={versions} links={links} timeZone={timeZone} />}
    </>
  )
}

function Additions() {
  return (
    <div className="buttons">
      <a className="button" href={newProductHref("plans")}>
        {t("catalogue.new.plans")}
      </a>
      <a className="button" href={newProductHref("resellerPlans")}>
        {t("catalogue.new.resellerPlans")}
      </a>
      <a className="button" href={consoleHref("/admin/catalogue/options")}>
        {t("catalogue.new.option")}
      </a>
    </div>
  )
}

function Products({ products, versions }: CatalogueProps) {
  const unseen = plansNeverShown(products.filter(({ kind }) => kind === "plan"))
  return (
    <ListTable
      label={t("catalogue.products")}
      heads={[
        { text: "catalogue.product" },
        { text: "catalogue.state" },
        { text: "catalogue.prices" },
        { text: "catalogue.options" },
        { text: "catalogue.terms" },
      ]}
    >
      {products.map((product) => (
        <tr key={product.id}>
          <td className="breaks">
            {versions ? <a href={productHref(product.id)}>{nameOf(product)}</a> : nameOf(product)}
          </td>
          <td>
            <State product={product} isNeverShown={unseen.includes(product)} />
          </td>
          <td className="breaks">{pricesText(product.pricing)}</td>
          <td className="breaks" data-label={t("catalogue.options")}>
            {product.options.map(({ name }) => name).join(", ") || "–"}
          </td>
          <td className="breaks">{termsText(product)}</td>
        </tr>
      ))}
    </ListTable>
  )
}

const nameOf = ({ id, name }: Pick<Product, "id" | "name">) => `${name} (${id})`

function State({ product, isNeverShown }: { product: Product; isNeverShown: boolean }) {
  if (product.isHidden) return <span className="pill plain">{t("catalogue.states.hidden")}</span>
  if (isNeverShown) return <span className="pill warning">{t("catalogue.states.neverShown")}</span>
  return <span className="pill good">{t(`catalogue.states.${product.kind}`)}</span>
}

/** Renewal rule, grace, trial and credits. */
function termsText(product: Product): string {
  const { graceDays, trialHours, credits } = product
  return [
    // Reseller plans have no renewals.
    product.kind === "plan" && renewalText(product),
    graceDays !== undefined && t("catalogue.graceText", { days: graceDays }),
    trialHours !== undefined && t("catalogue.trialText", { hours: trialHours }),
    credits !== undefined && t("catalogue.creditsText", { credits }),
  ]
    .filter((it) => it !== false)
    .join("; ")
}

function renewalText({ renewalPrice = "kept" }: Product): string {
  if (renewalPrice === "none") return t("catalogue.noRenewals")
  return t("catalogue.renewsAt", { rule: t(`catalogue.renewal.${renewalPrice}`) })
}

function OptionLine({ option, isEditable }: { option: ConfigOption; isEditable: boolean }) {
  const choices = option.choices.map((it) => `${it.name}: ${pricesText(it.pricing)}`).join("; ")
  return (
    <li className="breaks">
      {isEditable ? <a href={optionHref(option.id)}>{nameOf(option)}</a> : nameOf(option)}: {choices}
    </li>
  )
}
