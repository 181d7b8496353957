import { Form, Link } from "react-router"
import type { Order, OrderKind } from "~/domain/order"
import { useLocale } from "~/i18n/use-locale"
import { useTranslation } from "~/i18n/use-translation"
import { ConfirmCard } from "../form/confirm-card"
import { moneyText } from "../layout/format"

type ConfirmText = {
  kind: OrderKind
  /** See `ConfirmCard`. */
  isPage: boolean
  /** What becomes of the part that has been paid; null: nothing has been. */
  paidPart: string | null
}

/** The buyer has the service already, and returns there. */
const keepsService: readonly OrderKind[] = ["upsell", "renewal", "topup", "plan-change"]

/** Confirms cancelling the order to edit the selection. */
export function EditConfirm({ kind, isPage, paidPart }: ConfirmText) {
  const { t } = useTranslation()
  return (
    <ConfirmCard heading={t("waiting.edit.heading")} isPage={isPage}>
      <p className="lead">{t(`waiting.edit.${keepsService.includes(kind) ? "leadUpsell" : "lead"}`)}</p>
      {paidPart && <p className="lead">{paidPart}</p>}
      <ConfirmButtons intent="edit" yes={t("waiting.edit.confirm")} no={t("waiting.keep")} />
    </ConfirmCard>
  )
}

type Other = Pick<ConfirmText, "isPage" | "paidPart"> & {
  order: Pick<Order, "id" | "total">
  isLocked: boolean
}

/** Another tab sent another selection: the buyer decides. `isLocked`: the open order cannot be cancelled at the moment. */
export function AnotherSelection({ order: { id: order, total }, isLocked, isPage, paidPart }: Other) {
  const { t } = useTranslation()
  const keep = t("waiting.another.keep", { order })
  return (
    <ConfirmCard heading={t("waiting.another.heading")} isPage={isPage}>
      <p className="lead">{t("waiting.another.lead", { order, total: moneyText(total, useLocale()) })}</p>
      {paidPart && <p className="lead">{paidPart}</p>}
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
export function AbortConfirm({ lead, isPage }: Pick<ConfirmText, "isPage"> & { lead: string }) {
  const { t } = useTranslation()
  return (
    <ConfirmCard heading={t("waiting.abort.heading")} isPage={isPage}>
      <p className="lead">{lead}</p>
      <ConfirmButtons intent="abort" yes={t("waiting.abort.confirm")} no={t("waiting.keep")} />
    </ConfirmCard>
  )
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
