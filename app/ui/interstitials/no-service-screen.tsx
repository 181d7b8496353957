import { Link } from "react-router"
import { BASE } from "~/domain/base-path"
import { localPath } from "~/domain/locales"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { AddressText } from "../layout/address-text"

/** A signed-in customer has no service: says with which e-mail, and leads to the plans or to another e-mail. */
export function NoServiceScreen({ email, note }: { email: string; note: string }) {
  const { t } = useTranslation()
  const checkout = localPath(useLocale(), "/")
  return (
    <section className="card sign-in">
      <h1>{t("noService.heading")}</h1>
      <p className="lead">
        <AddressText text={t("noService.lead", { email })} />
      </p>
      <p className="note">{note}</p>
      <Link className="main button" to={checkout}>
        {t("signIn.page.plans")}
      </Link>
      <form method="post" action={`${BASE}${checkout}?signout`}>
        <button className="quiet">{t("signIn.code.other")}</button>
      </form>
    </section>
  )
}
