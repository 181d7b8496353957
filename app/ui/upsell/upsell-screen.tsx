import { useTranslation } from "~/i18n/use-translation"
import type { FieldErrors } from "../form/form-errors"
import { type UpsellOffer, UpsellPanel } from "./upsell-panel"

/** A reseller's services, with the upsell form for one of them. */
export function UpsellScreen({ offer, errors }: { offer: UpsellOffer | null; errors: FieldErrors }) {
  const { t } = useTranslation()
  return (
    <div className="narrow service">
      <h1>{t("title.upsell")}</h1>
      {offer ? (
        <UpsellPanel offer={offer} errors={errors} />
      ) : (
        <section className="card">
          <p>{t("upsell.gone")}</p>
        </section>
      )}
    </div>
  )
}
