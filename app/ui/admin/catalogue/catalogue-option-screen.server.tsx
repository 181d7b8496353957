import type { OptionFields } from "~/billing/catalogue/catalogue-admin"
import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm, TextField } from "../action-form.server"
import { type ActionNotice, FormNotice, type ProofAsked } from "../form-parts.server"
import {
  PreviewButton,
  PriceFields,
  productHref,
  ToCatalogue,
  type TypedPrices,
} from "./catalogue-parts.server"

type OptionProps = {
  option: OptionFields
  /** Those that have it. */
  products: readonly { readonly id: string; readonly name: string }[]
  mayEdit: boolean
  value: {
    readonly name: string
    readonly choices: Readonly<Record<string, { readonly name: string; readonly prices: TypedPrices }>>
  }
  seen: string
  formKey: string
  proof: ProofAsked
  notice: ActionNotice | null
  /** The form that was refused, or has come back from the preview. */
  refused: { readonly reason: string } | null
}

/** An option of products, and the form that changes it. */
export function CatalogueOptionScreen({ option, products, mayEdit, value, notice, ...form }: OptionProps) {
  return (
    <>
      <div className="title">
        <h1 className="breaks">{option.name}</h1>
      </div>
      <FormNotice notice={notice} />
      <section className="card">
        <h2>{t("catalogue.productsWithIt")}</h2>
        <ul>
          {products.map(({ id, name }) => (
            <li key={id}>
              <a href={productHref(id)}>{`${name} (${id})`}</a>
            </li>
          ))}
        </ul>
      </section>
      <section className="card">
        <h2>{t("action.title")}</h2>
        {!mayEdit && <p>{t("action.nothing")}</p>}
        {mayEdit && (
          <ActionForm
            action="edit-catalogue"
            name={t("catalogue.edit")}
            now={option.options.map((it) => it.name).join(", ")}
            after={t("catalogue.editAfter")}
            {...form}
          >
            <TextField id="name" name="name" label={t("catalogue.name")} value={value.name} maxLength={100} />
            <p>{t("catalogue.pricesHint")}</p>
            {option.options.map(({ id }) => (
              <ChoiceFields key={id} id={id} value={value.choices[id]} />
            ))}
            <PreviewButton />
          </ActionForm>
        )}
      </section>
      <ToCatalogue />
    </>
  )
}

type ChoiceProps = { id: string; value: { readonly name: string; readonly prices: TypedPrices } | undefined }

function ChoiceFields({ id, value }: ChoiceProps) {
  return (
    <>
      <TextField
        id={`choice.${id}`}
        name={`choice.${id}`}
        label={t("catalogue.choiceName", { id })}
        value={value?.name}
        maxLength={100}
      />
      <PriceFields
        prefix={`price.${id}`}
        prices={value?.prices ?? {}}
        of={t("catalogue.pricesOfChoice", { id })}
      />
    </>
  )
}
