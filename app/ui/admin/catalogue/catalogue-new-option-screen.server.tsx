import { consoleText as t } from "~/i18n/console-texts.server"
import { TextField } from "../action-form.server"
import { consoleHref } from "../console-frame.server"
import {
  AdditionPage,
  type AdditionProps,
  Box,
  PriceFields,
  type TypedPrices,
} from "./catalogue-parts.server"

type NewOptionProps = AdditionProps & {
  /** All that may have it. */
  products: readonly { readonly id: string; readonly name: string }[]
  value: {
    readonly name: string
    readonly choices: readonly { readonly name: string; readonly prices: TypedPrices }[]
    readonly products: string
  }
}

/** The form of a new option. */
export function CatalogueNewOptionScreen({ products, value, ...page }: NewOptionProps) {
  return (
    <AdditionPage
      target={consoleHref("/admin/catalogue/options")}
      title={t("catalogue.new.option")}
      lead={t("catalogue.newOptionLead")}
      after={t("catalogue.newOptionAfter")}
      {...page}
    >
      <TextField id="name" name="name" label={t("catalogue.name")} value={value.name} maxLength={100} />
      <p>{t("catalogue.pricesHint")}</p>
      <ChoiceFields choices={value.choices} />
      <ProductBoxes products={products} chosen={value.products.split(",")} />
    </AdditionPage>
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

type BoxesProps = Pick<NewOptionProps, "products"> & { chosen: readonly string[] }

function ProductBoxes({ products, chosen }: BoxesProps) {
  return (
    <fieldset className="types">
      <legend>{t("catalogue.productsWithIt")}</legend>
      {products.map(({ id, name }) => (
        <Box key={id} name="products" value={id} text={`${name} (${id})`} isTicked={chosen.includes(id)} />
      ))}
    </fieldset>
  )
}
