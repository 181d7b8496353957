import { Form, Link } from "react-router"
import type { Money } from "~/domain/money"
import type { Order, OrderKind } from "~/domain/order"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { ConfirmCard } from "../form/confirm-card"
import { moneyText } from "../layout/format"

type ConfirmText = { kind: OrderKind; received: Money }

/** The buyer has the service already, and returns there. */
const keepsService: readonly OrderKind[] = ["upsell", "renewal", "topup", "plan-change"]

/** Confirms cancelling the order to edit the selection. */
export function EditConfirm({ kind, received }: ConfirmText) {
  const { t } = useTranslation()
  return (
    <ConfirmCard heading={t("waiting.edit.heading")}>
      <p className="lead">{t(`waiting.edit.${keepsService.includes(kind) ? "leadUpsell" : "lead"}`)}</p>
      {received.minor > 0 && <ReceivedAmountNote received={received} />}
      <ConfirmButtons intent="edit" yes={t("waiting.edit.confirm")} no={t("waiting.keep")} />
    </ConfirmCard>
  )
}

type Other = { order: Pick<Order, "id" | "total" | "received">; isLocked: boolean }

/** Another tab sent another selection: the buyer decides. `isLocked`: the open order cannot be cancelled at the moment. */
export function AnotherSelection({ order: { id: order, total, received }, isLocked }: Other) {
  const { t } = useTranslation()
  const keep = t("waiting.another.keep", { order })
  return (
    <ConfirmCard heading={t("waiting.another.heading")}>
      <p className="lead">{t("waiting.another.lead", { order, total: moneyText(total, useLocale()) })}</p>
      {received.minor > 0 && <ReceivedAmountNote received={received} />}
      {isLocked ? (
        <>
          <p className="note">{t("waiting.locked")}</p>
          <BackToPaymentLink text={keep} />
        </>
      ) : (
        <ConfirmButtons intent="another" yes={t("waiting.another.confirm")} no={keep} />
      )}
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
      <ConfirmButtons intent="abort" yes={t("waiting.abort.confirm")} no={t("waiting.keep")} />
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

type AnswersProps = { intent: "edit" | "abort" | "another"; yes: string; no: string }

function ConfirmButtons({ intent, yes, no }: AnswersProps) {
  const { t } = useTranslation()
  return (
    <>
      <p className="note">{t("waiting.justPaid")}</p>
      <Link className="main button" to="?">
        {no}
      </Link>
      <Form method="post">
        <button className="large destroys" name="intent" value={intent}>
          {yes}
        </button>
      </Form>
    </>
  )
}
