import { Form } from "react-router"
import { useTranslation } from "~/i18n/use-translation"

type Expired = {
  /** What becomes of its payments. */
  lead: string
  /** Link to support for those who have paid; null without support. */
  didPay: { readonly text: string; readonly href: string } | null
}

/** Expired order: what becomes of its payments, and a button to order the same again. */
export function ExpiredOrder({ lead, didPay }: Expired) {
  const { t } = useTranslation()
  return (
    <>
      <h1>{t("waiting.expired")}</h1>
      <p className="lead">{lead}</p>
      <Form method="post">
        <button className="main button" name="intent" value="again">
          {t("waiting.again")}
        </button>
      </Form>
      {didPay && (
        <a className="large button" href={didPay.href} rel="noreferrer">
          {didPay.text}
        </a>
      )}
    </>
  )
}
