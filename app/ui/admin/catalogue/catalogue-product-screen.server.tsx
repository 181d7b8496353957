import {
  type Product,
  type ProductKind,
  renewalPrices,
  type ScheduledPrice,
} from "~/domain/catalogue/catalogue"
import { pricesText } from "~/domain/catalogue/catalogue-changes"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm, TextField } from "../action-form.server"
import { type ActionNotice, FormNotice, type ProofAsked } from "../form-parts.server"
import { Fact } from "../list-parts.server"
import {
  Box,
  newProductHref,
  PreviewButton,
  PriceFields,
  pricesHref,
  renewalsHref,
  ScheduleTable,
  ToCatalogue,
  type TypedPrices,
} from "./catalogue-parts.server"

type TypedProduct = {
  readonly name: string
  readonly prices: TypedPrices
  readonly options: string
  readonly renewalPrice: string
  readonly graceDays: string
  readonly trialHours: string
  readonly credits: string
  readonly position: string
  readonly isHidden: boolean
}

export type ProductFieldsProps = {
  kind: ProductKind
  /** All options that a product may have. */
  options: readonly { readonly id: string; readonly name: string }[]
  /** How many products its list has. */
  places: number
  value: TypedProduct
}

type ProductProps = Omit<ProductFieldsProps, "kind"> & {
  products: readonly Product[]
  pid: string
  /** Prices of it and its options that are ahead; `text`: what each is of. */
  schedules: readonly (ScheduledPrice & { readonly text: string })[]
  timeZone: string
  mayEdit: boolean
  /** The reason of the form that removes it, if it was refused; null: it was not, or the other one was. */
  refusedRemoval: { readonly reason: string } | null
  /** A service or an open order has it. */
  isSold: boolean
  removalKey: string
  seen: string
  formKey: string
  proof: ProofAsked
  notice: ActionNotice | null
  /** The form that was refused, or has come back from the preview. */
  refused: { readonly reason: string } | null
}

/** A product, and the form that changes it. */
export function CatalogueProductScreen(props: ProductProps) {
  const { products, pid, schedules, timeZone, mayEdit, seen, formKey, proof, notice, refused } = props
  const product = products.find(({ id }) => id === pid)
  if (!product) return null
  return (
    <>
      <div className="title">
        <h1 className="breaks">{product.name}</h1>
      </div>
      <FormNotice notice={notice} />
      <section className="card">
        <dl className="facts">
          <Fact name="catalogue.id">{product.id}</Fact>
          <Fact name="catalogue.prices">{pricesText(product.pricing)}</Fact>
          <Fact name="catalogue.options">{product.options.map(({ name }) => name).join(", ") || "–"}</Fact>
          <Fact name="catalogue.renewalPrice">
            {t(`catalogue.renewal.${product.renewalPrice ?? "kept"}`)}
          </Fact>
        </dl>
      </section>
      <section className="card">
        <h2>{t("catalogue.scheduled.list")}</h2>
        {schedules.length === 0 && <p>{t("catalogue.scheduled.none")}</p>}
        {schedules.length > 0 && <ScheduleTable schedules={schedules} timeZone={timeZone} />}
        <p>
          <a href={pricesHref(pid)}>{t("catalogue.scheduled.open")}</a>
        </p>
      </section>
      <section className="card">
        <h2>{t("action.title")}</h2>
        {!mayEdit && <p>{t("action.nothing")}</p>}
        {mayEdit && (
          <ActionForm
            action="edit-catalogue"
            name={t("catalogue.edit")}
            now={pricesText(product.pricing)}
            after={t("catalogue.editAfter")}
            formKey={formKey}
            seen={seen}
            refused={refused}
            proof={proof}
          >
            <ProductFields {...props} kind={product.kind} />
            <PreviewButton />
          </ActionForm>
        )}
        {mayEdit && <Removal {...props} />}
      </section>
      <Links kind={product.kind} pid={pid} />
      <ToCatalogue />
    </>
  )
}

function Links({ kind, pid }: { kind: ProductKind; pid: string }) {
  const isPlan = kind === "plan"
  return (
    <>
      {isPlan && (
        <p>
          <a href={renewalsHref(pid)}>{t("catalogue.renewals.open")}</a>
        </p>
      )}
      <p>
        <a href={newProductHref(isPlan ? "plans" : "resellerPlans", pid)}>{t("catalogue.copy")}</a>
      </p>
    </>
  )
}

/** The fields that a new product and an old one have. */
export function ProductFields({ kind, options, places, value }: ProductFieldsProps) {
  const ticked = value.options.split(",")
  return (
    <>
      <TextField id="name" name="name" label={t("catalogue.name")} value={value.name} maxLength={100} />
      <p>{t("catalogue.pricesHint")}</p>
      <PriceFields prefix="price" prices={value.prices} of={t("catalogue.prices")} />
      {options.length > 0 && (
        <fieldset className="types">
          <legend>{t("catalogue.optionsHint")}</legend>
          {options.map(({ id, name }) => (
            <Box key={id} name="options" value={id} text={`${name} (${id})`} isTicked={ticked.includes(id)} />
          ))}
        </fieldset>
      )}
      <p className="field">
        <label htmlFor="renewalPrice">{t("catalogue.renewalPrice")}</label>
        <select id="renewalPrice" name="renewalPrice" defaultValue={value.renewalPrice}>
          {renewalPrices.map((it) => (
            <option key={it} value={it}>
              {t(`catalogue.renewal.${it}`)}
            </option>
          ))}
        </select>
      </p>
      <NumberField name="graceDays" label={t("catalogue.graceDays")} value={value.graceDays} />
      {kind === "plan" ? (
        <NumberField name="trialHours" label={t("catalogue.trialHours")} value={value.trialHours} />
      ) : (
        <NumberField name="credits" label={t("catalogue.credits")} value={value.credits} />
      )}
      <p className="field">
        <label htmlFor="position">{t("catalogue.position")}</label>
        {kind === "plan" && <small id="position-hint">{t("catalogue.positionHint")}</small>}
        <select
          id="position"
          name="position"
          defaultValue={value.position}
          aria-describedby={kind === "plan" ? "position-hint" : undefined}
        >
          {Array.from({ length: places }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a place is its number
            <option key={index}>{index + 1}</option>
          ))}
        </select>
      </p>
      <Box name="hidden" value="on" text={t("catalogue.hidden")} isTicked={value.isHidden} />
    </>
  )
}

function NumberField({ name, label, value }: { name: string; label: string; value: string }) {
  return (
    <TextField
      id={name}
      name={name}
      label={label}
      value={value}
      inputMode="numeric"
      maxLength={6}
      isOptional
    />
  )
}

/** A product that nobody has can be removed; another one is hidden. */
function Removal({ isSold, seen, removalKey, refusedRemoval, proof }: ProductProps) {
  if (isSold) return <p>{t("catalogue.removeSold")}</p>
  return (
    <ActionForm
      action="remove-product"
      name={t("catalogue.remove")}
      now={t("catalogue.removeNow")}
      after={t("catalogue.removeAfter")}
      formKey={removalKey}
      seen={seen}
      refused={refusedRemoval}
      proof={proof}
      destroys
    />
  )
}
