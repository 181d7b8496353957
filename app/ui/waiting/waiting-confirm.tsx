import { Form, Link } from "react-router"
import type { Money } from "~/domain/money"
import type { OrderKind } from "~/domain/order"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { ConfirmCard } from "../form/confirm-card"
import { moneyText } from "../layout/format"

type ConfirmText = { kind: OrderKind; received: Money }

/** Confirms cancelling the order to edit the selection. */
export function EditConfirm({ kind, received }: ConfirmText) {
  const { t } = useTranslation()
  return (
    <ConfirmCard heading={t("waiting.edit.heading")}>
      <p className="lead">{t(kind === "upsell" ? "waiting.edit.leadUpsell" : "waiting.edit.lead")}</p>
      {received.minor > 0 && <ReceivedAmountNote received={received} />}
      <Answers intent="edit" yes={t("waiting.edit.confirm")} />
    </ConfirmCard>
  )
}

/** Confirms cancelling the order, which cannot be undone. */
export function AbortConfirm({ received }: Pick<ConfirmText, "received">) {
  const { t } = useTranslation()
  return (
    <ConfirmCard heading={t("waiting.abort.heading")}>
      {received.minor > 0 ? (
        <ReceivedAmountNote received={received} />
      ) : (
        <p className="lead">{t("waiting.abort.lead")}</p>
      )}
      <Answers intent="abort" yes={t("waiting.abort.confirm")} />
    </ConfirmCard>
  )
}

/** Notice that a partial payment becomes account credit. */
function ReceivedAmountNote({ received }: Pick<ConfirmText, "received">) {
  const { t } = useTranslation()
  return <p className="lead">{t("waiting.partCredit", { received: moneyText(received, useLocale()) })}</p>
}

/** Link back to the payment: the URL without the confirmation parameter. */
export function BackToPaymentLink({ text }: { text: string }) {
  return (
    <Link className="button" to="?">
      {text}
    </Link>
  )
}

function Answers({ intent, yes }: { intent: "edit" | "abort"; yes: string }) {
  const { t } = useTranslation()
  return (
    <>
      <p className="note">{t("waiting.justPaid")}</p>
      <Form method="post">
        <button className="main" name="intent" value={intent}>
          {yes}
        </button>
      </Form>
      <BackToPaymentLink text={t("waiting.keep")} />
    </>
  )
}
