import { useTranslation } from "~/i18n/use-translation"
import { AddressText } from "../layout/address-text"

/** The page of a sign-in link. The e-mail is shown, because the link may be another person's. */
export function SignInLinkScreen({ email, action }: { email: string; action: string }) {
  const { t } = useTranslation()
  return (
    <section className="card sign-in">
      <h1>{t("signIn.heading")}</h1>
      <p className="lead">
        <AddressText text={t("signIn.link.lead", { email })} />
      </p>
      <form method="post" action={action}>
        <button className="main">{t("signIn.link.submit")}</button>
      </form>
    </section>
  )
}
