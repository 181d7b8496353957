import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm, TextField } from "./action-form.server"
import { Box, PreviewButton, PriceFields, ToCatalogue, type TypedPrices } from "./catalogue-parts.server"
import { type ActionNotice, Notice, type ProofProblem } from "./form-parts.server"

type NewOptionProps = {
  /** All that may have it. */
  products: readonly { readonly id: string; readonly name: string }[]
  mayEdit: boolean
  value: {
    readonly name: string
    readonly choices: readonly { readonly name: string; readonly prices: TypedPrices }[]
    readonly products: string
  }
  seen: string
  formKey: string
  proof: { readonly isProven: boolean; readonly problem: ProofProblem | null }
  notice: ActionNotice | null
  reason: string
}

/** The form of a new option. */
export function CatalogueNewOptionScreen(props: NewOptionProps) {
  const { mayEdit, value, seen, formKey, proof, notice, reason } = props
  return (
    <>
      <div className="title">
        <h1>{t("catalogue.new.option")}</h1>
        <p>{t("catalogue.newOptionLead")}</p>
      </div>
      {notice && <Notice kind={notice.kind}>{notice.text}</Notice>}
      <section className="card">
        {!mayEdit && <p>{t("action.nothing")}</p>}
        {mayEdit && (
          <ActionForm
            action="edit-catalogue"
            name={t("catalogue.add")}
            now={t("catalogue.newNow")}
            after={t("catalogue.newOptionAfter")}
            formKey={formKey}
            seen={seen}
            refused={{ reason }}
            proof={proof}
          >
            <TextField id="name" name="name" label={t("catalogue.name")} value={value.name} maxLength={100} />
            <p>{t("catalogue.pricesHint")}</p>
            <ChoiceFields choices={value.choices} />
            <ProductBoxes {...props} />
            <PreviewButton />
          </ActionForm>
        )}
      </section>
      <ToCatalogue />
    </>
  )
}

/** The first choice is needed; the others may stay empty. */
function ChoiceFields({ choices }: Pick<NewOptionProps["value"], "choices">) {
  return choices.map(({ name, prices }, index) => {
    const number = index + 1
    return (
      <div key={number}>
        <TextField
          id={`choice.${number}`}
          name={`choice.${number}`}
          label={t("catalogue.choiceName", { id: String(number) })}
          value={name}
          maxLength={100}
          isOptional={index > 0}
        />
        <PriceFields
          prefix={`price.${number}`}
          prices={prices}
          of={t("catalogue.pricesOfChoice", { id: String(number) })}
        />
      </div>
    )
  })
}

function ProductBoxes({ products, value }: NewOptionProps) {
  const ticked = value.products.split(",")
  return (
    <fieldset className="types">
      <legend>{t("catalogue.productsWithIt")}</legend>
      {products.map(({ id, name }) => (
        <Box key={id} name="products" value={id} text={`${name} (${id})`} isTicked={ticked.includes(id)} />
      ))}
    </fieldset>
  )
}
