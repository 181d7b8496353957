import type { PromotionDetails } from "~/billing/catalogue/promotion-admin"
import type { Day } from "~/domain/calendar"
import { emptyPromotion, type TypedPromotion } from "~/domain/forms/typed-promotion"
import { consoleText as t } from "~/i18n/console-texts.server"
import { consoleHref } from "../console-frame.server"
import {
  type ActionNotice,
  FormKey,
  FormNotice,
  OPEN_FORM,
  type ProofAsked,
  ProofFields,
  ReasonField,
} from "../form-parts.server"
import { type ListLinks, ListPages, ListTable } from "../list-parts.server"
import { PromotionFields } from "./promotion-fields.server"
import {
  discountText,
  type NamedProduct,
  PromotionPill,
  productsText,
  promotionHref,
  usesText,
  validityText,
} from "./promotion-parts.server"

type PromotionsProps = {
  /** What the codes begin with; empty for all. */
  sought: string
  promotions: readonly PromotionDetails[]
  products: readonly NamedProduct[]
  today: Day
  links: ListLinks
  /** Whether the role of who asks may add promotions. */
  mayAdd: boolean
  formKey: string
  proof: ProofAsked
  notice: ActionNotice | null
  /** The form that was refused. */
  typed: { readonly typed: TypedPromotion; readonly reason: string } | null
}

const names = {
  older: "promotions.next",
  newer: "promotions.previous",
  newest: "promotions.first",
} as const

/** The promotions by code; an owner adds one. */
export function PromotionsScreen(props: PromotionsProps) {
  const { sought, promotions, links, mayAdd, notice } = props
  return (
    <>
      <div className="title">
        <h1>{t("promotions.title")}</h1>
        <p>{t("promotions.lead")}</p>
      </div>
      <FormNotice notice={notice} />
      <section className="card">
        <Search sought={sought} />
        {promotions.length === 0 ? (
          <p>{t(sought === "" ? "promotions.none" : "promotions.noneFound")}</p>
        ) : (
          <PromotionTable {...props} />
        )}
        <ListPages links={links} names={names} />
      </section>
      {mayAdd && <AddForm {...props} />}
    </>
  )
}

/** Instead of the list, where another system has the promotions. */
export function ExternalPromotionsScreen() {
  return (
    <>
      <div className="title">
        <h1>{t("promotions.title")}</h1>
      </div>
      <section className="card">
        <p>{t("promotions.external")}</p>
      </section>
    </>
  )
}

function Search({ sought }: Pick<PromotionsProps, "sought">) {
  return (
    <search>
      <form method="get" action={consoleHref("/admin/promotions")} className="search">
        <p className="field grow">
          <label htmlFor="q">{t("promotions.search")}</label>
          <input
            id="q"
            name="q"
            type="search"
            defaultValue={sought}
            spellCheck={false}
            autoCapitalize="characters"
            maxLength={64}
          />
        </p>
        <button className="button main" type="submit">
          {t("promotions.find")}
        </button>
        {sought !== "" && <a href={consoleHref("/admin/promotions")}>{t("promotions.toList")}</a>}
      </form>
    </search>
  )
}

function PromotionTable({ promotions, products, today }: PromotionsProps) {
  return (
    <ListTable
      label={t("promotions.title")}
      heads={[
        { text: "promotions.code" },
        { text: "promotions.state" },
        { text: "promotions.gives" },
        { text: "promotions.products" },
        { text: "promotions.validity" },
        { text: "promotions.uses", isNumber: true },
      ]}
    >
      {promotions.map((promotion) => (
        <tr key={promotion.code}>
          <td className="breaks">
            <a href={promotionHref(promotion.code)}>{promotion.code}</a>
          </td>
          <td>
            <PromotionPill promotion={promotion} today={today} />
          </td>
          <td data-label={t("promotions.gives")}>{discountText(promotion)}</td>
          <td className="breaks">{productsText(promotion, products)}</td>
          <td className="breaks validity" data-label={t("promotions.validity")}>
            {validityText(promotion)}
          </td>
          <td className="number" data-label={t("promotions.uses")}>
            {usesText(promotion)}
          </td>
        </tr>
      ))}
    </ListTable>
  )
}

function AddForm({ formKey, proof, typed, products }: PromotionsProps) {
  const value = typed?.typed ?? emptyPromotion
  return (
    <details className="card" id={typed ? OPEN_FORM : undefined} open={typed !== null}>
      <summary>{t("promotions.add")}</summary>
      <p>{t("promotions.addLead")}</p>
      <form method="post" action={consoleHref("/admin/promotions")}>
        <FormKey value={formKey} />
        <p className="field">
          <label htmlFor="code">{t("promotions.code")}</label>
          <input
            id="code"
            name="code"
            required
            maxLength={64}
            defaultValue={value.code}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
        </p>
        <PromotionFields form="add" value={value} products={products} />
        <ReasonField id="reason" value={typed?.reason ?? ""} />
        <ProofFields {...proof} form="add" />
        <button className="button main" type="submit">
          {t("promotions.add")}
        </button>
      </form>
    </details>
  )
}
