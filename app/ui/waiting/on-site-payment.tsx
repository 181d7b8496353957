import { Form } from "react-router"
import { isLightning, type Transfer } from "~/domain/payments/coin"
import { useTranslation } from "~/i18n/use-translation"
import { ExchangeFee } from "../form/gateway-picker"
import { Credential } from "../layout/credential"
import { AlreadyPaid, CheckNow, type PayLink, type PayTexts } from "./hosted-payment"
import { type PaymentError, PaymentErrorMessage } from "./payment-error"

type Due = {
  pay: PayLink & { transfer: Transfer }
  texts: PayTexts
}

/** On-site payment: address or Lightning invoice, amount, and the amount seen. */
export function OnSitePayment({ pay, texts }: Due) {
  const { t } = useTranslation()
  const { coin, amount, address, uri } = pay.transfer
  return (
    <>
      <Seen transfer={pay.transfer} />
      <div className="credentials">
        <Credential label={t("waiting.here.amount", { coin: coin.currency })} value={amount} />
        <Credential label={texts.sendTo} value={address} />
      </div>
      <p className="warning">{texts.sendOnly}</p>
      {!isLightning(coin) && <ExchangeFee />}
      {texts.wallet && (
        <a className="main button this-device" href={uri}>
          {texts.wallet}
        </a>
      )}
      <div className="qr">
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: drawn by the QR library from the payment's address */}
        <span aria-hidden="true" dangerouslySetInnerHTML={{ __html: pay.qr }} />
        <p className="note">
          {t("waiting.here.scan")} {pay.isTest && <strong>{t("frame.testMode")}</strong>}
        </p>
      </div>
      <AlreadyPaid text={texts.alreadyPaid} />
      <a className="quiet" href={pay.url} rel="noreferrer">
        {t("waiting.here.hosted", { host: pay.host })}
      </a>
    </>
  )
}

type SeenProps = { transfer: Transfer | null; check: string }

/** An unconfirmed payment has been seen: how much of it, and a look at it. There is nothing to pay. */
export function SeenPayment({ transfer, check }: SeenProps) {
  return (
    <>
      {transfer && <Seen transfer={transfer} />}
      <CheckNow text={check} />
    </>
  )
}

function Seen({ transfer: { seen, coin, confirmations } }: { transfer: Transfer }) {
  const { t } = useTranslation()
  if (/^[0.]*$/.test(seen)) return null
  return (
    <p className="notice" role="status">
      {t("waiting.here.seen", { amount: `${seen} ${coin.currency}` })}
      {confirmations !== null && ` ${t("waiting.here.confirmations", { count: confirmations })}`}
    </p>
  )
}

type Over = { pay: PayLink; texts: PayTexts; error: PaymentError | null }

/** Expired quote, or unavailable provider: offers a new quote, or the provider's page. */
export function QuoteExpired({ pay, texts, error }: Over) {
  const { t } = useTranslation()
  return (
    <>
      <PaymentErrorMessage error={error} host={pay.host} />
      <p className="note">{t("waiting.here.over")}</p>
      <Form method="post" reloadDocument>
        <button className="main" name="intent" value="quote">
          {t("waiting.here.again")}
        </button>
      </Form>
      <AlreadyPaid text={texts.alreadyPaid} />
      <a className="quiet" href={pay.url} rel="noreferrer">
        {t("waiting.here.hosted", { host: pay.host })}
      </a>
    </>
  )
}
