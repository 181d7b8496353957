import type { RefusedForm } from "~/domain/refused-form"
import { useTranslation } from "~/i18n/use-translation"
import { type UpsellOffer, UpsellPanel } from "./upsell-panel"

type Upsell = { offer: UpsellOffer | null; lastResult: RefusedForm | null | undefined }

/** A reseller's services, with the upsell form for one of them. */
export function UpsellScreen({ offer, lastResult }: Upsell) {
  const { t } = useTranslation()
  return (
    <div className="narrow service">
      <h1>{t("title.upsell")}</h1>
      {offer ? (
        <UpsellPanel offer={offer} lastResult={lastResult} />
      ) : (
        <section className="card">
          <p>{t("upsell.gone")}</p>
        </section>
      )}
    </div>
  )
}
