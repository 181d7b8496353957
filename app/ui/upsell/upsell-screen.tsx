import { Link } from "react-router"
import { localPath } from "~/domain/locales"
import { pathOf } from "~/domain/orders/screen-paths"
import type { RefusedForm } from "~/domain/refused-form"
import { useLocale } from "~/i18n/use-locale"
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
      <Link className="quiet account-link" to={localPath(useLocale(), pathOf.reseller.success)}>
        {t("resellers.account.mine")}
      </Link>
    </div>
  )
}
