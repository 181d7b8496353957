import { consoleText as t } from "~/i18n/console-texts.server"
import { TextField } from "../action-form.server"
import { AdditionPage, type AdditionProps, newProductHref } from "./catalogue-parts.server"
import { ProductFields, type ProductFieldsProps } from "./catalogue-product-screen.server"

type NewProductProps = AdditionProps &
  Omit<ProductFieldsProps, "kind" | "value"> & {
    list: "plans" | "resellerPlans"
    value: ProductFieldsProps["value"] & {
      readonly pid: string
      readonly payType: string
      readonly source: string
    }
  }

/** The form of a new product. */
export function CatalogueNewProductScreen({ list, options, places, value, ...page }: NewProductProps) {
  const { pid, payType, source } = value
  return (
    <AdditionPage
      target={newProductHref(list)}
      title={t(`catalogue.new.${list}`)}
      lead={source === "" ? t("catalogue.newLead") : t("catalogue.copyLead", { id: source })}
      after={t("catalogue.newAfter")}
      {...page}
    >
      <input type="hidden" name="list" value={list} />
      <input type="hidden" name="source" value={source} />
      <TextField id="pid" name="pid" label={t("catalogue.newId")} value={pid} maxLength={64} />
      <p className="field">
        <label htmlFor="payType">{t("catalogue.payType")}</label>
        <select id="payType" name="payType" defaultValue={payType}>
          <option value="recurring">{t("catalogue.payTypes.recurring")}</option>
          <option value="onetime">{t("catalogue.payTypes.onetime")}</option>
        </select>
      </p>
      <ProductFields
        kind={list === "plans" ? "plan" : "reseller"}
        options={options}
        places={places}
        value={value}
      />
    </AdditionPage>
  )
}
