import { consoleText as t } from "~/i18n/console-texts.server"
import { ActionForm, TextField } from "./action-form.server"
import { PreviewButton, ToCatalogue } from "./catalogue-parts.server"
import { ProductFields, type ProductFieldsProps } from "./catalogue-product-screen.server"
import { type ActionNotice, Notice, type ProofProblem } from "./form-parts.server"

type NewProductProps = Omit<ProductFieldsProps, "kind" | "value"> & {
  list: "plans" | "resellerPlans"
  mayEdit: boolean
  value: ProductFieldsProps["value"] & {
    readonly pid: string
    readonly payType: string
    readonly source: string
  }
  seen: string
  formKey: string
  proof: { readonly isProven: boolean; readonly problem: ProofProblem | null }
  notice: ActionNotice | null
  reason: string
}

/** The form of a new product. */
export function CatalogueNewProductScreen(props: NewProductProps) {
  const { list, mayEdit, value, seen, formKey, proof, notice, reason } = props
  return (
    <>
      <div className="title">
        <h1>{t(`catalogue.new.${list}`)}</h1>
        <p>{value.source === "" ? t("catalogue.newLead") : t("catalogue.copyLead", { id: value.source })}</p>
      </div>
      {notice && <Notice kind={notice.kind}>{notice.text}</Notice>}
      <section className="card">
        {!mayEdit && <p>{t("action.nothing")}</p>}
        {mayEdit && (
          <ActionForm
            action="edit-catalogue"
            name={t("catalogue.add")}
            now={t("catalogue.newNow")}
            after={t("catalogue.newAfter")}
            formKey={formKey}
            seen={seen}
            refused={{ reason }}
            proof={proof}
          >
            <input type="hidden" name="list" value={list} />
            <input type="hidden" name="source" value={value.source} />
            <TextField id="pid" name="pid" label={t("catalogue.newId")} value={value.pid} maxLength={64} />
            <p className="field">
              <label htmlFor="payType">{t("catalogue.payType")}</label>
              <select id="payType" name="payType" defaultValue={value.payType}>
                <option value="recurring">{t("catalogue.payTypes.recurring")}</option>
                <option value="onetime">{t("catalogue.payTypes.onetime")}</option>
              </select>
            </p>
            <ProductFields {...props} kind={list === "plans" ? "plan" : "reseller"} />
            <PreviewButton />
          </ActionForm>
        )}
      </section>
      <ToCatalogue />
    </>
  )
}
